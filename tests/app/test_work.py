"""Work beside the event loop: made once for all, bounded, given up when nobody waits."""

import pytest
from held import Held
from local_app import run

from app.metrics import Metrics
from app.work import Busy, GivenUp, Work


@pytest.fixture
def work():
    work = Work("tables", waiting_most=2)
    yield work
    work.stop()


def test_who_asks_for_the_same_waits_for_one_computation(work):
    async def ask():
        held = Held()
        jobs = [work.start("same", held) for _ in range(50)]
        held.go.set()
        return held, {id(job) for job in jobs}, [await job.result() for job in jobs]

    held, jobs, made = run(ask())
    assert held.count == 1 and len(jobs) == 1 and made == [b"table"] * 50


def test_a_job_goes_on_while_somebody_waits_for_it(work):
    async def leave():
        held = Held()
        first, second = work.start("same", held), work.start("same", held)
        assert held.begun.wait(10)
        first.leave()
        held.go.set()
        return await second.result()

    assert run(leave()) == b"table"


def test_a_job_that_all_left_ends_at_its_next_step_and_is_made_anew_for_the_next(work):
    async def leave():
        held, again = Held(), Held()
        job = work.start("same", held)
        assert held.begun.wait(10)
        job.leave()
        later = work.start("same", again)
        held.go.set()
        again.go.set()
        with pytest.raises(GivenUp):
            await job.result()
        return held, await later.result()

    held, made = run(leave())
    assert isinstance(held.why, GivenUp) and made == b"table"


def test_a_job_that_is_left_in_the_queue_never_starts(work):
    async def leave():
        held, never = Held(), Held()
        first, second = work.start(1, held), work.start(2, never)
        second.leave()
        with pytest.raises(GivenUp):
            await second.result()
        held.go.set()
        await first.result()
        return never

    assert run(leave()).count == 0


def test_a_full_queue_refuses_and_takes_more_when_one_is_done():
    metrics = Metrics()
    work = Work("races", 2, metrics)
    text = 'attention_lessons_{}{{work="races"}} {}.0\n'

    async def fill():
        held = Held()
        first, second = work.start(1, held), work.start(2, lambda on_step: None)
        with pytest.raises(Busy):
            work.start(3, held)
        assert work.start(1, held) is first  # who waits for the same takes no room
        assert text.format("queue_length", 2) in metrics.text()
        held.go.set()
        await first.result()
        await second.result()
        assert await work.start(3, lambda on_step: "third").result() == "third"

    run(fill())
    work.stop()
    assert text.format("queue_length", 0) in metrics.text() and text.format("busy_total", 1) in metrics.text()
    assert text.format("work_seconds_count", 3) in metrics.text()


def test_what_is_raised_is_raised_for_everyone_who_waits(work):
    def run_off(on_step):
        raise ValueError("the scores run off to infinity")

    async def ask():
        held = Held()
        work.start(0, held)
        jobs = [work.start(1, run_off) for _ in range(3)]
        held.go.set()
        for job in jobs:
            with pytest.raises(ValueError, match="run off"):
                await job.result()

    run(ask())


def test_stopping_gives_up_what_runs_and_what_waits(work):
    async def stop():
        held = Held()
        jobs = [work.start(1, held), work.start(2, held)]
        assert held.begun.wait(10)
        work.stop()
        held.go.set()
        for job in jobs:
            with pytest.raises(GivenUp):
                await job.result()
        return held

    assert run(stop()).count == 1
