"""Lessons as files: reading, refusals with their place, questions about a run, and the judgement of answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.lessonplay import play
from lydian.model.archive.archive import Archive, archive
from lydian.model.errors import BadInput
from lydian.model.interventions import Intervention
from lydian.model.lesson.blocks import Action, grade
from lydian.model.lesson.lesson import (
    MOST_WORDS,
    experiment_of,
    lessons,
    lessons_for,
    load,
    parse,
    picture_of,
    problems,
    template,
    words,
)
from lydian.model.lesson.values import Expression
from lydian.model.reading import BadLines

HEAD = '# A title\n\n## One\n\nSome words.\n\n```experiment\nname = "two-wings"\n```\n\n'


def block(kind: str, body: str) -> str:
    return f"{HEAD}```{kind}\n{body}\n```\n"


def asked(body: str):
    return parse(block("predict", 'question = "Which?"\n' + body)).questions[0]


FACTS = {
    "processes": ("0", "1", "Ana"), "messages": 46, "n": 12, "m": 17, "last": ("0",), "busiest": ("1", "Ana"),
    "expected": None, "time": 16.5, "k": 3, "holds": {"all heard": True, "none": None}.__getitem__,
    "sent": {"Ack": 23}.__getitem__,
}  # fmt: skip


class TestReading:
    def test_a_lesson_has_a_title_text_and_steps_with_blocks(self):
        lesson = parse(template(), "mine.md")
        assert (lesson.name, lesson.title, len(lesson.steps)) == ("mine", "My first lesson", 3)
        first, second, third = lesson.steps
        assert first.setting.name == "two-wings"
        assert first.actions[0].wait.what == "end"
        assert second.questions[0].expect == "messages"
        assert second.expectations[0].that == "messages == 4*m - 2*n + 2"
        assert third.actions[0].kinds == ("crash",)
        assert "```" not in first.text

    def test_a_question_is_generated_from_the_run(self):
        lesson = parse(block("question", 'from = "run"\nkind = "concurrent"\nseed = 4'))
        (drawn,) = lesson.steps[0].drawn
        assert (drawn.kind, drawn.seed) == ("concurrent", 4)
        assert parse(block("question", 'from = "run"\nkind = "cut"')).steps[0].drawn[0].seed == 1

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            ('kind = "cut"', 'write, for example, from = "run"'),
            ('from = "trace"\nkind = "cut"', 'must be "run", the run of the lesson'),
            ('from = "run"', 'write, for example, kind = "concurrent"'),
            ('from = "run"\nkind = "cut"\nseed = 1.5', "seed: must be a whole number"),
        ],
    )
    def test_a_bad_question_is_refused(self, body, why):
        (found,) = problems(block("question", body))
        assert why in found.why

    def test_an_unknown_block_belongs_to_the_text(self):
        lesson = parse("# T\n\n## S\n\nLook:\n\n```python\nx = 1\n```\n")
        assert "x = 1" in lesson.steps[0].text

    def test_the_word_count_of_a_step_excludes_its_blocks(self):
        text = "# T\n\n## S\n\n" + "word " * MOST_WORDS + '\n\n```do\nwait = "end"\n```\n'
        assert parse(text)
        with pytest.raises(BadLines, match=rf"line 3: this step has {MOST_WORDS + 1} words"):
            parse(text.replace("word ", "word word ", 1))

    @given(st.lists(st.sampled_from(["alpha", "b2", "**bold**", "[a link](lydian:run/echo)"])))
    def test_only_the_words_of_a_link_are_counted(self, parts):
        assert words(" ".join(parts)) == sum(2 if part.startswith("[") else 1 for part in parts)

    @pytest.mark.parametrize(
        ("text", "line", "what"),
        [
            ("## S\n\nwords", 1, "the title is missing"),
            ("# T\n\nwords", 3, "has no steps"),
            ("# T\n\n## S\n\nw\n\n```do\nwait = 'end'", 7, "not closed"),
            ("# T\n# U\n\n## S\n\nw", 2, "one title"),
            ("# T\n\n##\n\nw", 3, "a step must have a title"),
            ("# T\n\n```do\nwait = 'end'\n```\n\n## S\n\nw", 3, "before the first step"),
            ("# T\n\n## S\n\n```predikt\n```\n", 5, "did you mean 'predict'"),
            (block("experiment", 'name = "echo"'), 11, "one experiment"),
            ("# T\n\n## S\n", 3, "is empty"),
            (block("do", "wait = 'end"), 12, "not valid TOML"),
            (block("do", "wiat = 'end'"), 12, "did you mean 'wait'"),
            (block("do", 'wait = "time soon"'), 12, "a time that is not negative"),
            (block("do", 'kind = "crsh"'), 12, "did you mean 'crash'"),
            (block("do", 'kind = "crash"'), 11, "example is missing"),
            (block("do", 'kind = "crash"\nexample = {time = 1, process = "9", do = "wake"}'), 13, "example differs"),
            (block("do", 'kind = "crash"\nwait = "end"'), 11, "kind or wait is missing"),
            (block("predict", 'kind = "number"'), 11, "question is missing"),
            (block("predict", 'question = "?"\nkind = "choice"\nexpect = "a"'), 11, "two or more"),
            (block("predict", 'question = "?"\nchoices = ["a", "b"]\nexpect = 3'), 14, "one of the choices"),
            (block("predict", 'question = "?"\nexpect = "messages +"'), 13, "cannot be read"),
            (block("predict", 'question = "?"\nexpect = "sent"'), 13, "must have one text"),
            (block("predict", 'question = "?"\nexpect = 3\ntolerance = "lots"'), 14, 'such as "5%"'),
            (block("predict", 'question = "?"\nexpect = 3\nshow = "noon"'), 14, "unknown moment"),
            (block("expect", 'that = "messages"'), 12, "neither true nor false"),
            (block("expect", 'property = "p"\nthat = "n == 1"'), 11, "'property' and 'that' are both missing"),
            (block("predict", 'question = "?"\nexpect = "().__class__"'), 13, "may use"),
        ],
    )  # fmt: skip
    def test_a_mistake_is_reported_with_its_line(self, text, line, what):
        found = problems(text)
        assert any(each.line == line and what in each.why for each in found), [str(each) for each in found]

    def test_a_duplicate_question_is_refused(self):
        twice = block("predict", 'question = "?"\nexpect = 3') + '\n```predict\nquestion = "?"\nexpect = 4\n```\n'
        assert "this question appears twice" in problems(twice)[0].why


class TestNames:
    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ('# T\n\n## S\n\nw\n\n```experiment\nname = "two-wing"\n```\n', "two-wings"),
            (block("expect", 'property = "nothing is in transitt"'), "did you mean 'nothing is in transit'"),
            (block("expect", 'that = "mesages == 3"'), "did you mean 'messages'"),
            (block("predict", 'question = "?"\nkind = "process"\nexpect = ["99"]'), "unknown process '99' of network"),
            (block("predict", 'question = "?"\nexpect = 3\nshow = "first Akc"'), "did you mean 'Ack'"),
            (block("do", 'kind = "crash"\nexample = {time = 1.0, process = "99"}'), "99"),
            ('# T\n\n## S\n\nw\n\n```predict\nquestion = "?"\nexpect = 3\n```\n', "the experiment is missing"),
        ],
    )  # fmt: skip
    def test_missing_things_are_reported(self, text, what):
        assert not problems(text), "the layout is fine"
        found = problems(text, archive())
        assert len(found) == 1
        assert what in found[0].why

    def test_a_step_without_a_name_changes_the_current_run(self):
        lesson = parse(HEAD + '## Two\n\nw\n\n```experiment\nseed = 7\ndelay = "constant(1)"\nuntil = 5\n```\n')
        first, second = experiment_of(lesson, 0), experiment_of(lesson, 1)
        assert (second.protocol, second.network, second.seed) == (first.protocol, first.network, 7)
        assert second.stop.until == 5.0
        assert str(second.timing.delay) == "constant(1)"

    def test_a_lesson_may_contain_a_whole_experiment(self):
        text = '# T\n\n## S\n\nw\n\n```experiment\nprotocol = "echo"\nnetwork = "ring:5"\nset = {}\n```\n'
        assert experiment_of(parse(text), 0).resolve().network.n == 5


class TestShelf:
    def test_lessons_for_a_protocol_are_those_that_run_it(self):
        assert "election-on-a-ring" in lessons_for("chang-roberts")
        assert {"echo", "echo-crash"} <= set(lessons_for("echo"))
        assert lessons_for("no-such-protocol") == []

    def test_the_users_lessons_come_first(self, tmp_path):
        (tmp_path / "lessons").mkdir()
        (tmp_path / "lessons" / "echo.md").write_text(template(), encoding="utf-8")
        shelf = Archive(tmp_path, archive().ours)
        assert load("echo", shelf).title == "My first lesson"
        assert "snapshots" in lessons(shelf)

    def test_an_unknown_lesson_is_reported_with_the_available_ones(self):
        with pytest.raises(BadInput, match=r"unknown lesson 'ecko'.*did you mean 'echo'"):
            load("ecko")


class TestAnswers:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("4*m - 2*n + 2", 46), ("messages == 46 and not messages > 50", True), ("last == '0'", True),
            ("busiest == 'Ana'", True), ("busiest != '0'", True), ("holds('all heard')", True), ("sent('Ack') * 2", 46),
            ("'a' if n > 3 else 'b'", "a"), ("max(n, m) + k", 20),
        ],
    )  # fmt: skip
    def test_an_expression_is_evaluated(self, text, value):
        assert Expression(text).of(FACTS) == value

    def test_things_missing_from_the_run_are_reported(self):
        with pytest.raises(BadInput, match="the run has no expected"):
            Expression("expected + 1").of(FACTS)

    @given(st.integers(-5, 5))
    def test_a_number_may_differ_by_at_most_the_tolerance(self, off):
        question = asked('expect = "messages"\ntolerance = 2')
        assert grade(question, str(46 + off), FACTS).good is (abs(off) <= 2)

    def test_a_tolerance_may_be_a_share(self):
        question = asked('expect = "messages"\ntolerance = "10%"')
        assert [grade(question, answer, FACTS).good for answer in ("42", "41", "50,6", "many")] == [
            True, False, True, False,
        ]  # fmt: skip

    def test_several_processes_may_be_right_answers(self):
        question = asked('kind = "process"\nexpect = "busiest"')
        assert [grade(question, name, FACTS).good for name in ("1", "Ana", "0", None)] == [True, True, False, None]
        assert grade(question, "0", FACTS).right == ("1", "Ana")

    def test_a_process_may_be_given_by_name(self):
        assert grade(asked('kind = "process"\nexpect = "Ana"'), "Ana", FACTS).good is True

    def test_the_first_true_choice_is_the_answer(self):
        question = asked('choices = ["yes", "no"]\nexpect = "messages > 40"')
        assert grade(question, "yes", FACTS).good is True
        assert grade(question, "no", FACTS).came == "yes"

    def test_a_choice_that_the_run_does_not_produce_is_reported(self):
        with pytest.raises(BadInput, match="'messages' is 46 here, which is not one of the choices"):
            grade(asked('choices = ["1", "2"]\nexpect = "messages"'), "1", FACTS)

    def test_a_text_is_compared_without_punctuation(self):
        question = asked('kind = "text"\nexpect = ["the token is lost", "lost token"]')
        assert grade(question, "The token is lost!", {}).good is True
        assert grade(question, "no idea", {}).good is False
        assert grade(asked('kind = "text"'), "anything", {}).good is None


PLACE = "# A title\n\nAbout it.\n\n```lesson\n{}\n```\n\n## One\n\nSome words.\n"


class TestPlace:
    def test_a_lesson_gives_its_level_and_chapter(self):
        lesson = parse(PLACE.format('level = "advanced"\nchapter = "election"'))
        assert (lesson.place.level, lesson.place.chapter, lesson.about) == ("advanced", "election", "About it.")

    @pytest.mark.parametrize(
        ("text", "line", "why"),
        [
            (PLACE.format('level = "hard"'), 6, "unknown level 'hard'; choose from introductory"),
            (PLACE.format('level = "advance"'), 6, "unknown level 'advance' (did you mean 'advanced'?)"),
            (PLACE.format('hours = 2'), 6, "unknown key 'hours'"),
            (PLACE.format('chapter = "wave"'), 5, "unknown chapter 'wave' (did you mean 'waves'?)"),
            (PLACE.format('picture = "two-wing"'), 5, "two-wing"),
            (HEAD + '```lesson\nlevel = "advanced"\n```\n', 11, "a lesson must have only one block lesson, before"),
        ],
    )  # fmt: skip
    def test_a_place_that_does_not_exist_is_refused(self, text, line, why):
        (found,) = problems(text, archive())
        assert found.line == line
        assert why in found.why

    def test_the_length_depends_on_what_there_is_to_read_and_to_do(self):
        short = parse(HEAD)
        assert short.minutes == 5
        step = "## {}\n\n" + "word " * 60 + '\n\n```experiment\nname = "two-wings"\n```\n\n'
        assert parse("# T\n\n" + "".join(step.format(i) for i in range(10))).minutes == 15

    def test_the_picture_is_that_of_the_first_experiment_unless_another_is_named(self):
        assert picture_of(parse(HEAD)).name == "two-wings"
        assert picture_of(parse(PLACE.format('picture = "echo-crash"'))).name == "echo-crash"
        assert picture_of(parse(PLACE.format('level = "advanced"'))) is None


class TestPartitions:
    """A step that waits for a partition, or for its end."""

    BOTH = 'groups = [["0", "1"], ["2", "3"]]\nexample = {time = 1.0, groups = [["0", "1"], ["2", "3"]]}'

    def action(self, toml: str) -> Action:
        return parse(block("do", toml)).steps[-1].actions[-1]

    def test_groups_name_the_sides(self):
        action = self.action(f'kind = "partition"\n{self.BOTH}')
        assert action.groups == (("0", "1"), ("2", "3"))
        for groups, fits in (
            ([["0", "1"]], True), ([["3", "2"], ["1", "0"]], True), ([["0"]], False), ([["0", "2"]], False),
        ):  # fmt: skip
            assert action.fits(Intervention(3.0, "partition", groups=groups)) is fits, groups
        assert self.action('kind = "partition"\nexample = {time = 1.0, groups = [["0"]]}').groups == ()

    def test_a_line_across_all_links_is_a_partition_and_restoring_them_heals_it(self):
        network = archive().network("ring:4")
        line = [Intervention(2.0, "link_down", link=link) for link in (("1", "2"), ("3", "0"))]
        action = self.action(f'kind = "partition"\n{self.BOTH}')
        assert action.met(line, network)
        assert not action.met(line[:1], network)
        assert action.met(line[:1], network, [("3", "0")])
        other = [Intervention(2.0, "link_down", link=link) for link in (("0", "1"), ("1", "2"))]
        assert not action.met(other, network)
        assert self.action('kind = "partition"\nexample = {time = 1.0, groups = [["0"]]}').met(other, network)
        heal = self.action('kind = "heal"\nexample = {time = 9.0}')
        up = [Intervention(3.0, "link_up", link=("1", "2"))]
        assert not heal.met(up, network, [("1", "2"), ("3", "0"), ("0", "1")])
        assert heal.met(up, network, [("1", "2")])
        assert heal.met([Intervention(3.0, "heal")], network)
        assert not heal.met(line, network)

    def test_groups_are_checked(self):
        assert "only a partition has groups" in problems(block("do", f'kind = "crash"\n{self.BOTH}'))[0].why
        strange = 'kind = "partition"\ngroups = [["98"], ["99"]]\nexample = {time = 1.0, groups = [["98"], ["99"]]}'
        assert not problems(block("do", strange))
        assert "unknown process '98'" in " ".join(each.why for each in problems(block("do", strange), archive()))

    def test_a_partition_is_played(self):
        text = (
            '# T\n\n## S\n\nw\n\n```experiment\nprotocol = "echo"\nnetwork = "ring:4"\n```\n\n'
            f'```do\nkind = "partition"\n{self.BOTH.replace("1.0", "0.1")}\n```\n\n'
            '```do\nkind = "heal"\nexample = {time = 5.0}\n```\n\n```expect\nthat = "decided == 0"\n```\n'
        )
        assert [(one.good, one.sentence) for one in play(parse(text))] == [
            (True, "partition: done as in the example"), (True, "heal: done as in the example"),
            (True, "decided == 0"),
        ]  # fmt: skip


FLOWN = """# A flight

## Fly

Look at this.

```experiment
name = "echo-crash"
fly = true

[[flight]]
time = 1.0
at = "process 9"
```
"""


def test_a_step_has_a_guided_flight_of_its_own() -> None:
    lesson = parse(FLOWN)
    assert lesson.steps[0].setting.fly
    assert [stop.at for stop in experiment_of(lesson, 0).flight] == ["process 9"]
    assert problems(FLOWN, archive()) == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("time = 1.0\n", "", 11, "flight[0]: time is missing"),
        ("process 9", "process 99", 7, "flight[0].at: unknown process '99'"),
        ("fly = true", "fly = true\nlive = true", 9, "leave out live and play"),
        ('[[flight]]\ntime = 1.0\nat = "process 9"\n', "", 7, "fly needs a guided flight"),
    ],
)
def test_a_flight_that_is_not_possible_is_a_problem_of_the_lesson(old: str, new: str, line: int, why: str) -> None:
    (found,) = problems(FLOWN.replace(old, new), archive())
    assert why in found.why and found.line == line
