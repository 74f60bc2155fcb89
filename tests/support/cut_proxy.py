"""A TCP proxy between a browser and a server: the line can be cut, fall silent, and heal."""

import asyncio
import threading

CHUNK = 65_536


class CutProxy:
    """`with CutProxy(port) as proxy:` passes on what comes to `proxy.url`."""

    def __init__(self, port):
        self.port = port
        self.loop = asyncio.new_event_loop()
        self.writers = set()
        self.refusing = False

    def __enter__(self):
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.url = self.do(self.begin())
        return self

    def __exit__(self, *_):
        self.do(self.end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def cut(self):
        """Every connection breaks off, and new ones do at once."""
        self.do(self.change(refusing=True, silent=False))

    def silence(self):
        """Connections stay and new ones are taken, but nothing comes through."""
        self.do(self.change(refusing=False, silent=True))

    def heal(self):
        """What waited comes through."""
        self.do(self.change(refusing=False, silent=False))

    def do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def begin(self):
        self.passing = asyncio.Event()
        self.passing.set()
        self.server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def end(self):
        self.server.close()
        await self.change(refusing=True, silent=False)

    async def change(self, *, refusing, silent):
        self.refusing = refusing
        (self.passing.clear if silent else self.passing.set)()
        if refusing:
            for writer in self.writers:
                writer.transport.abort()

    async def connect(self, reader, writer):
        if self.refusing:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.transport.abort()  # no server either
            return
        await asyncio.gather(self.pass_on(reader, back), self.pass_on(there, writer))

    async def pass_on(self, reader, writer):
        self.writers.add(writer)
        try:
            while chunk := await reader.read(CHUNK):
                await self.passing.wait()
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass  # cut
        finally:
            self.writers.discard(writer)
            writer.close()
