"""What watches the server asks it: does it live, may it be sent learners, and what has it counted."""

from __future__ import annotations

from tornado.web import HTTPError

from app import __version__, assets
from app.handlers import Handler
from app.metrics import CONTENT_TYPE
from app.services import within


class HealthHandler(Handler):
    """Whether it answers at all: one that does not is to be replaced."""

    route = "/healthz"

    def get(self) -> None:
        self.send_json({"status": "ok", "version": __version__, "edition": assets.edition()})


class ReadyHandler(Handler):
    """Whether new learners may be sent here; everything is made ready before it listens to the first."""

    route = "/readyz"

    def get(self) -> None:
        status = "stopping" if self.services.stopping else "full" if self.services.full else "ready"
        if status != "ready":
            self.set_status(503)
        self.set_header("Cache-Control", "no-store")
        self.send_json({"status": status, "version": __version__})


class MetricsHandler(Handler):
    """The numbers, for those who were named; nobody else learns that they are there."""

    route = "/metrics"

    def get(self) -> None:
        if not within(self.request.remote_ip or "", self.services.readers):
            raise HTTPError(404)
        self.set_header("Cache-Control", "no-store")
        self.send(CONTENT_TYPE, self.services.metrics.text().encode())
