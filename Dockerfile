# Two stages, so that the image that runs holds the installed packages and neither build tools nor the source tree.
ARG BASE=python:3.11-slim

FROM ${BASE} AS build
# A venv works with the official image's Python and with a distribution's, whose own pip refuses to install.
RUN python3 -m venv /opt/venv
WORKDIR /src
COPY . .
# A private package index goes in at build time and stays out of the image: --secret id=pip,src=pip.conf
# SOURCE_DATE_EPOCH: compiled modules are then known by content; COPY may change times, and a read-only image that has
# to compile anew does so at every start. pip leaves last: the image installs nothing.
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    SOURCE_DATE_EPOCH=315532800 \
    /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt . && \
    /opt/venv/bin/pip uninstall --quiet --yes setuptools pip

FROM ${BASE}
COPY --from=build /opt/venv /opt/venv
# Nothing is written at run time: the root file system may be read-only.
ENV PATH=/opt/venv/bin:$PATH HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /opt/venv
# A number, so that a cluster can check that it is not root.
USER 10001:10001
EXPOSE 5006
# No proxy: the question must not leave the container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", \
    "import urllib.request as u; u.build_opener(u.ProxyHandler({})).open('http://127.0.0.1:5006/healthz', timeout=4)"]
CMD ["python", "-m", "app", "serve", "--address", "0.0.0.0", "--port", "5006"]
