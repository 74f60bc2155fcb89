"""A plain static host: a folder, below some address, with headers of one's choice."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class FolderServer:
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

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Answer, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
