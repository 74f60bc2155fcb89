"""A request that is counted and logged, keeps to the limits, and may have something made beside the event loop."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Hashable
from contextvars import copy_context
from functools import cached_property, partial
from math import ceil
from types import TracebackType
from typing import Any

from tornado.web import Finish, HTTPError, RequestHandler

from app import logs
from app.export import LOOK
from app.figures import FIGURES
from app.languages import NAME
from app.services import Services
from app.work import Busy, Compute, GivenUp, Job
from widgets.words import catalogue, current

BUSY_S = 3
# What logs may name of a link: a learner can write anything else as a name.
PARAMETERS = {*LOOK, NAME, "v"}.union(*(figure.State.names() for figure in FIGURES.values()))


class Watched(RequestHandler):
    """What `app.handlers.Handler` is built on."""

    # What metrics and logs call it, one of `app.metrics.ROUTES`; and whether it is a page.
    route = "other"
    page = False
    job: Job | None = None

    @property
    def services(self) -> Services:
        services: Services = self.settings["services"]
        return services

    def check_limits(self) -> None:
        """Refuse a link that is longer than any of ours."""
        limits = self.services.limits
        if len(self.request.uri or "") > limits.link_bytes:
            raise HTTPError(414)
        if sum(map(len, self.request.query_arguments.values())) > limits.link_parameters:
            raise HTTPError(400, reason="Too Many Parameters")
        if self.services.stopping:
            self.set_header("Connection", "close")

    # ---- what takes long -------------------------------------------------------------

    async def computed(self, work: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives; where it cannot be had now, the learner is told, and the request ends here."""
        job = self.start(work, key, lambda on_step: make())
        if job is None:
            raise Finish
        try:
            return await job.result()
        except GivenUp:
            if self.job is not None:  # else nobody is there to be told
                self.send_busy(catalogue()["site.restarts"])
            raise Finish from None

    def start(self, work: str, key: Hashable, compute: Compute) -> Job | None:
        """Have something made; None where the learner was told to try again."""
        wait = self.services.rates.wait(self.request.remote_ip or "")
        try:
            if wait:
                raise Busy
            # A thread knows nothing of this task's language.
            made: Compute = partial(copy_context().run, compute)  # type: ignore[call-arg]
            self.job = self.services.work[work].start((current().tag, key), made)
        except Busy:
            if wait:
                self.services.metrics.count("rate_limited_total")
                self.set_status(429)
            self.set_header("Retry-After", str(max(BUSY_S, ceil(wait))))
            self.send_busy(catalogue()["site.busy"])
        return self.job

    def send_busy(self, message: str) -> None:
        """Tell the learner to try again."""
        raise NotImplementedError

    def on_connection_close(self) -> None:
        self._leave()

    def on_finish(self) -> None:
        self._leave()

    def _leave(self) -> None:
        job, self.job = self.job, None
        if job is not None:
            job.leave()

    # ---- what is known of it ---------------------------------------------------------

    @cached_property
    def id(self) -> str:
        """What a learner can tell of an error, and the log has too."""
        return secrets.token_hex(4)

    def log_exception(
        self, typ: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Log an error of ours, once, with its place and nothing that a learner typed."""
        if value is None or isinstance(value, HTTPError):
            return
        self.services.metrics.count("errors_total")
        if not logs.told_before(value):
            logs.event("error", "A request failed.", level=logging.ERROR, error=value, **self._known())

    def _known(self) -> dict[str, Any]:
        """What logs say of a request: what was asked for, and not with which words."""
        names = sorted(name if name in PARAMETERS else "other" for name in self.request.query_arguments)
        seconds = round(self.request.request_time(), 4)
        return {
            "request": self.id,
            "method": self.request.method,
            "route": self.route,
            "parameters": ",".join(names),
            "seconds": seconds,
        }

    def count(self) -> None:
        """Count an answered request, and log it where that is wanted."""
        status, services = self.get_status(), self.services
        services.metrics.count("requests_total", self.route, str(status))
        services.metrics.observe("request_seconds", self.request.request_time(), self.route)
        if self.page and status in (200, 304) and self.request.method == "GET":
            services.metrics.count("page_loads_total", self.route)
        if services.access_log:
            logs.event("request", "Answered.", status=status, **self._known())


def count_request(handler: RequestHandler) -> None:
    """Tornado's `log_function`."""
    if isinstance(handler, Watched):
        handler.count()
