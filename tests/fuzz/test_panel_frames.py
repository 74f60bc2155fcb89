"""A Panel server of the lab, and what its websocket may be sent: the server lives, and another client still works."""

import asyncio
import json
import logging
import threading
import traceback

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from fuzz import fuzz
from fuzz_page import Values
from hypothesis import strategies as st
from local_app import run
from page_events import changed, said
from panel.io.server import get_server
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClosedError, websocket_connect

from widgets import AttentionLab
from widgets.state import LabState

OURS = ("/widgets/", "/attention/", "/panel/reactive", "/panel/custom")


class Ours(logging.Handler):
    """Errors that went through our code, or through Panel's on the way to it."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        error = record.exc_info[1] if record.exc_info else None
        passed = [frame.filename for frame in traceback.extract_tb(error.__traceback__)] if error else [record.name]
        if any(part in name for name in passed for part in OURS) or record.name == "panel.reactive":
            self.found.append((record.getMessage(), error))


class PanelServer:
    """`with PanelServer() as served:`; `served.labs` are those that were made, the last one latest."""

    def __enter__(self):
        self.labs, self.errors, started = [], Ours(), threading.Event()
        logging.root.addHandler(self.errors)
        self.thread = threading.Thread(target=asyncio.run, args=(self.serve(started),), daemon=True)
        self.thread.start()
        assert started.wait(30)
        return self

    def page(self):
        self.labs.append(AttentionLab())
        return self.labs[-1]

    async def serve(self, started):
        self.loop, self.over = asyncio.get_running_loop(), asyncio.Event()
        served = get_server({"page": self.page}, address="127.0.0.1", port=0, show=False, loop=IOLoop.current())
        served.start()
        self.port = served.port
        started.set()
        await self.over.wait()
        served.stop()

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(20)
        logging.root.removeHandler(self.errors)
        assert not self.thread.is_alive()

    async def connect(self):
        token = generate_jwt_token(generate_session_id())
        socket = await websocket_connect(f"ws://127.0.0.1:{self.port}/page/ws", subprotocols=["bokeh", token])
        await socket.read_message()  # the header of its ACK
        return socket

    async def good_client(self):
        """One that does as BokehJS does: it gets a document, and moves d_k."""
        client = Client(await self.connect())
        assert "roots" in json.dumps(await client.ask("PULL-DOC-REQ", {}))
        await client.ask("PATCH-DOC", {"events": [changed(self.data(), "d_k", 9)]})
        async with asyncio.timeout(20):
            while self.labs[-1].d_k != 9:  # Panel takes changes up 50 ms later
                await asyncio.sleep(0.01)
        await leave(client.socket)
        assert self.errors.found == []

    def data(self):
        return next(iter(self.labs[-1]._models.values()))[0].data


async def leave(socket):
    """Close, and read what still comes to the end."""
    socket.close()
    while await socket.read_message() is not None:
        pass


class Client:
    """A client that writes whole messages and waits for their answers."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    async def ask(self, kind, content):
        self.number += 1
        header = {"msgid": str(self.number), "msgtype": kind}
        for part in (header, {}, content):
            await self.socket.write_message(json.dumps(part))
        while True:
            frame = await self.socket.read_message()
            if frame is None:
                raise WebSocketClosedError
            try:
                answer = json.loads(frame)
            except ValueError:
                continue
            if isinstance(answer, dict) and answer.get("reqid") == str(self.number):
                await self.socket.read_message()
                return answer, json.loads(await self.socket.read_message())


@pytest.fixture(scope="module")
def served():
    with PanelServer() as served:
        yield served


KINDS = ["PATCH-DOC", "PULL-DOC-REQ", "PUSH-DOC", "SERVER-INFO-REQ", "OK", "ERROR", "ACK", "NO-SUCH", ""]


def frames(values):
    """A message as text or bytes, of the right form or not at all."""
    rng = values.rng
    header = {"msgid": rng.choice(["1", values.text(), 1]), "msgtype": rng.choice(KINDS)}
    if rng.random() < 0.3:
        header["num_buffers"] = rng.choice([0, 1, -1, 10**9, "x", None])
    parts = [
        header if rng.random() < 0.8 else values.value(),
        {},
        rng.choice([{"events": [values.value()]}, values.value()]),
    ]
    texts = [json.dumps(part) for part in parts]
    if rng.random() < 0.5:
        texts[rng.randrange(3)] = rng.choice(["", "{", "[" * 3000, "NaN", values.text()])
    texts = texts[: rng.randrange(1, 4)]
    return [text.encode() if rng.random() < 0.15 else text for text in texts]


@fuzz(1, each=25, shrink=False, seed=st.integers(0, 2**32))
def test_frames_that_are_no_messages_end_their_own_connection_at_most(served, seed):
    values = Values(seed)

    async def visit():
        for _ in range(25):
            socket = await served.connect()
            try:
                for frame in frames(values):
                    await socket.write_message(frame, binary=isinstance(frame, bytes))
            except WebSocketClosedError:
                pass
            await leave(socket)
        await served.good_client()

    run(visit())


@fuzz(1, each=40, shrink=False, seed=st.integers(0, 2**32))
def test_patches_with_any_values_change_nothing_that_a_learner_could_not(served, seed):
    values = Values(seed)

    async def visit():
        client = Client(await served.connect())
        await client.ask("PULL-DOC-REQ", {})
        lab, data = served.labs[-1], served.data()
        for _ in range(40):
            name = values.rng.choice([*LabState.names(), "lang", "plots", "answer", "html", "table", "no_such"])
            event = changed(data, name, values.value())
            if values.rng.random() < 0.3:
                root = next(iter(lab._models.values()))[0]
                event = said(root, values.value())
            await client.ask("PATCH-DOC", {"events": [event]})
        await leave(client.socket)
        LabState(**lab.values())
        assert lab.lang == "en" and lab.text == LabState.param.text.default
        await served.good_client()

    run(visit())
