"""Bytes that are hardly HTTP, and what a server says to them."""

import socket

from hypothesis import strategies as st

GOOD = [
    b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
    b"GET /tables/attention-lab?text=a+b&seed=1 HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
    b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 26\r\n\r\n--b\r\nContent-Disposition:\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    b"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n",
]
BITS = [
    b"\0", b"\r\n", b"\n", b"\r", b" ", b":", b"\xff", b"\x80", b"\t", b"Content-Length: 9999999999999\r\n", b"Content-Length: -1\r\n",
    b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Host: two\r\n",
    b"fffffffff\r\n", b"-5\r\n", b"0x5\r\n", b" folded: yes\r\n", b"HTTP/9.9", b"HTTP/1.1", b"X: " + b"y" * 70_000 + b"\r\n",
    b"A:b\r\n" * 300, b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]  # fmt: skip


@st.composite
def streams(draw):
    """Some requests one behind the other, with bits put in, taken out, or the end missing."""
    stream = b"".join(draw(st.lists(st.sampled_from(GOOD), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(stream)))
        cut = draw(st.integers(0, 6))
        stream = stream[:at] + draw(st.sampled_from(BITS) | st.binary(max_size=6)) + stream[at + cut :]
    return stream[: draw(st.integers(1, len(stream)))] if draw(st.booleans()) else stream


def answers(port, stream, pieces=1):
    """Send, say that nothing more comes, and read to the end."""
    step = -(-len(stream) // pieces)
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        told = b""
        try:
            for at in range(0, len(stream), step):
                connection.sendall(stream[at : at + step])
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # hung up on, perhaps with an answer
        try:
            while chunk := connection.recv(65536):
                told += chunk
        except ConnectionResetError:
            pass
        return told
