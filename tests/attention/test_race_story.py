"""How the lanes stand: each word is earned by the losses behind it."""

import pytest

from attention.race_story import ARRIVED, NEVER, STILL, STILL_STEPS, RaceProgress, race_story_table

NONE, SQRT_D_K, D_K = range(3)
SENTENCES = [("Your journey starts with one step", 5108), ("yes no", 3), ("the cat saw the other cat", 11)]


@pytest.fixture(scope="module", params=[(*sentence, d_k) for sentence in SENTENCES for d_k in (4, 64)])
def table(request):
    text, seed, d_k = request.param
    return race_story_table(text.split(), seed, d_k, 0.1)


def plain_story(losses, s):
    """The same in the plainest words."""
    if losses[0] == 0:
        return RaceProgress.NOTHING_TO_LEARN, NEVER
    if s == 0:
        return RaceProgress.AT_THE_START, NEVER
    if losses[s] <= ARRIVED:
        first = s
        while losses[first - 1] <= ARRIVED:
            first -= 1
        return RaceProgress.ARRIVED, first
    first = s
    while first > 0 and abs(losses[first - 1] - losses[s]) <= STILL:
        first -= 1
    if s - first >= STILL_STEPS:
        return RaceProgress.STALLED, first
    return (RaceProgress.WORSE_OFF if losses[s] > 1.0005 else RaceProgress.UNDER_WAY), NEVER


def test_each_word_is_earned_by_what_lies_behind(table):
    for lane in range(3):
        losses = table.relative_loss[lane].astype(float)
        for s in range(301):
            assert (table.progress[lane, s], table.since[lane, s]) == plain_story(losses, s), (lane, s)


def test_the_lessons_race_is_told_as_its_text_tells_it():
    table = race_story_table("Your journey starts with one step".split(), 5108, 64, 0.1)
    assert table.progress[:, 50].tolist() == [RaceProgress.STALLED, RaceProgress.ARRIVED, RaceProgress.UNDER_WAY]
    assert table.since[:, 300].tolist() == [17, 7, 217]
    assert (table.progress[:, 0] == RaceProgress.AT_THE_START).all()
    assert (table.tokens[1], table.seed, table.d_k, table.learning_rate) == ("journey", 5108, 64, 0.1)


def test_a_narrow_head_at_the_low_rate_is_quickest_without_the_scale():
    table = race_story_table("Your journey starts with one step".split(), 5108, 4, 0.03)
    assert (table.progress[:, -1] == RaceProgress.ARRIVED).all() and table.since[:, -1].tolist() == [19, 24, 72]


def test_with_one_word_alone_there_is_nothing_to_learn():
    table = race_story_table(["same", "Same", "same"], 5108, 16, 0.1)
    assert (table.progress == RaceProgress.NOTHING_TO_LEARN).all() and (table.since == NEVER).all()


def test_steps_are_reported_and_can_end_the_race():
    class Cancelled(Exception):
        pass

    def stop(step):
        raise Cancelled(step)

    seen = []
    race_story_table(["a", "b"], 1, 4, 0.1, on_step=seen.append)
    assert seen == list(range(1, 301))
    with pytest.raises(Cancelled, match="1"):
        race_story_table(["a", "b"], 1, 4, 0.1, on_step=stop)
