"""A plain static host: a folder, below some address, with headers of one's choice."""

from functools import partial
from http.server import SimpleHTTPRequestHandler

from local_server import LocalServer


class FolderServer(LocalServer):
    """`with FolderServer(folder, {"X": "y"}) as host:` serves at `host.url`."""

    def __init__(self, folder, headers=None):
        class Answer(SimpleHTTPRequestHandler):
            extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

            def end_headers(self):
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                super().end_headers()

            def log_message(self, *_):
                pass

        super().__init__(partial(Answer, directory=str(folder)))
