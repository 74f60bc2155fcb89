"""`python -m tests.support.faulty_app serve …`: the app in which certain sentences make something of ours fail."""

import sys
import time

from app import pages, table_handlers
from app.cli import main

FAIL_PAGE, FAIL_TABLE, FAIL_RACE, SLOW_RACE = "fail the page", "fail the table", "fail the race", "a slow race"
# A slow race takes some 2 s.
STEP_S = 0.005


def failing(make, fault):
    def made(name, values, *rest, **options):
        if fault in (values.values() if isinstance(values, dict) else values):
            raise RuntimeError(f"cannot do {fault}", values)
        return make(name, values, *rest, **options)

    return made


def slowed(make):
    def made(name, key, on_step):
        def slowly(step):
            on_step(step)
            time.sleep(STEP_S)

        return make(name, key, slowly if SLOW_RACE in key else on_step)

    return made


if __name__ == "__main__":
    pages.embed_page = failing(pages.embed_page, FAIL_PAGE)
    table_handlers.compressed_payload = failing(table_handlers.compressed_payload, FAIL_TABLE)
    table_handlers.long_payload = slowed(failing(table_handlers.long_payload, FAIL_RACE))
    sys.exit(main())
