"""Something that takes as long as the test wants."""

import threading


class Held:
    """A computation that goes on when the test lets it."""

    def __init__(self):
        self.begun, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.why = None
        self.count = 0

    def __call__(self, on_step):
        self.count += 1
        try:
            on_step(1)
            self.begun.set()
            assert self.go.wait(10)
            on_step(2)
            return b"table"
        except Exception as error:
            self.why = error
            raise
        finally:
            self.ended.set()
