"""Serves the hand-written page: `python -m bench.vanilla PORT`."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from attention import SelfAttention, embed, tokenize
from bench.states import ROW, SEED, SENTENCE, START


def page() -> bytes:
    """The page with the numbers that it computes from."""
    tokens = tokenize(SENTENCE)
    layer = SelfAttention.seeded(SEED)
    given = {
        "tokens": tokens,
        "X": embed(tokens, SEED).tolist(),
        "W_q": layer.W_q.tolist(),
        "W_k": layer.W_k.tolist(),
        "row": ROW,
        "start": START,
    }
    text = Path(__file__).with_name("vanilla.html").read_text("utf-8")
    return text.replace("GIVEN", json.dumps(given)).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers every address with the one page."""

    protocol_version = "HTTP/1.1"
    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    Handler.body = page()
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
