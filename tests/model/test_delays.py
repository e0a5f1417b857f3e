"""The notation of distributions, and draws from them: values, statistics, reproducibility."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lydian.model.delays import (
    FAMILIES,
    Constant,
    Distribution,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Mixture,
    Normal,
    Pareto,
    Uniform,
    Weibull,
    as_distribution,
    parse,
)
from lydian.model.errors import BadInput
from lydian.model.streams import name_hashes

sizes = st.floats(1e-3, 1e6)
shapes = st.floats(0.05, 50)
simple = st.one_of(
    st.builds(Constant, st.one_of(st.just(0.0), sizes)),
    st.builds(lambda a, b: Uniform(min(a, b), max(a, b)), sizes, sizes),
    st.builds(Exponential, sizes),
    st.builds(Normal, sizes, st.floats(0.001, 100)),
    st.builds(LogNormal, sizes, sizes),
    st.builds(Gamma, sizes, shapes),
    st.builds(Pareto, sizes, st.floats(1.01, 50)),
    st.builds(Weibull, sizes, shapes),
    st.builds(lambda v: Empirical(tuple(v)), st.lists(sizes, min_size=1, max_size=8)),
)
distributions = st.recursive(
    simple,
    lambda inner: st.builds(
        lambda p: Mixture(tuple(p)), st.lists(st.tuples(st.floats(0.01, 10), inner), min_size=1, max_size=4)
    ),
    max_leaves=6,
)

EXAMPLES = [
    "constant(1.5)", "uniform(0.5, 1.5)", "exponential(mean=2)", "normal(1, 0.2)", "normal(1, 1)", "normal(0, 2)",
    "lognormal(mean=1, sd=0.6)", "gamma(mean=1, k=4)", "gamma(mean=2, k=0.3)", "gamma(mean=1, k=1)",
    "pareto(mean=1, a=3.5)", "weibull(mean=1, k=1.5)", "weibull(mean=3, k=0.8)", "empirical(1, 2, 2.5)",
    "mix(0.9: constant(1), 0.1: exponential(mean=5))",
    "mix(1: uniform(0, 1), 3: mix(1: gamma(mean=2, k=2), 1: constant(4)))",
]  # fmt: skip


# ---------------------------------------------------------------------- notation


@given(distributions)
def test_text_parses_back_to_an_equal_one(d: Distribution) -> None:
    again = parse(str(d))
    assert again == d
    assert hash(again) == hash(d)
    assert str(again) == str(d)


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_are_canonical(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.kind)
def test_every_family_has_an_example(family: type[Distribution]) -> None:
    assert type(parse(family.example)) is family
    assert parse(family.example).kind == family.kind


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1.5", "constant(1.5)"),
        (" 2 ", "constant(2)"),
        ("1e-3", "constant(0.001)"),
        ("constant(value=1)", "constant(1)"),
        ("uniform(high=2,low=1)", "uniform(1, 2)"),
        ("uniform(1, high=2)", "uniform(1, 2)"),
        ("exponential( 1 )", "exponential(mean=1)"),
        ("lognormal(1,0.6)", "lognormal(mean=1, sd=0.6)"),
        ("normal(sd=.5, mean=1.)", "normal(1, 0.5)"),
        ("gamma(k=4, mean=1)", "gamma(mean=1, k=4)"),
        ("mix(1:2,1:exponential(3))", "mix(1: constant(2), 1: exponential(mean=3))"),
    ],
)
def test_alternative_notations(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


WRONG = [
    ("", "a distribution is missing"),
    ("   ", "a distribution is missing"),
    ("foo", "unknown distribution 'foo'"),
    ("exponental(mean=1)", "did you mean 'exponential'?"),
    ("exponential", "exponential must have its numbers in brackets, as in exponential(mean=1)"),
    ("exponential()", "exponential needs mean, as in exponential(mean=1)"),
    ("lognormal(sd=1)", "lognormal needs mean, as in"),
    ("exponential(mean=-1)", "mean of exponential must be > 0, not -1"),
    ("exponential(mean=0)", "mean of exponential must be > 0, not 0"),
    ("exponential(maen=1)", "exponential has no parameter 'maen' (did you mean 'mean'?)"),
    ("exponential(1, 2)", "exponential takes at most 1 number (mean)"),
    ("exponential(mean=1, mean=2)", "given mean twice"),
    ("exponential(1, mean=2)", "given mean twice"),
    ("uniform(low=1, 2)", "an unnamed number after a named one"),
    ("uniform(2, 1)", "low of uniform must be at most high, not uniform(2, 1)"),
    ("uniform(-1, 1)", "low of uniform must be >= 0, not -1"),
    ("uniform(a, b)", "found 'a' where a number for uniform's low was expected in 'uniform(a, b)'"),
    ("uniform(0.5", "the bracket after uniform is not closed"),
    ("uniform(0.5,", "the bracket after uniform is not closed"),
    ("uniform(0.5 1)", "found '1' where ',' or ')' was expected in 'uniform(0.5 1)'"),
    ("normal(nan, 1)", "mean of normal must be >= 0, not nan"),
    ("normal(1, inf)", "sd of normal must be between 1e-12 and 1e12, not inf"),
    ("normal(1, -0.1)", "sd of normal must be >= 0, not -0.1"),
    ("constant(Infinity)", "not inf"),
    ("-1", "value of constant must be >= 0, not -1"),
    ("NaN", "value of constant must be >= 0, not nan"),
    ("1e400", "not inf"),
    ("exponential(mean=1e-20)", "between 1e-12 and 1e12, not 1e-20"),
    ("pareto(mean=1, a=1)", "a of pareto must be > 1, not 1"),
    ("gamma(mean=1, k=0)", "k of gamma must be >= 0.05, not 0"),
    ("weibull(mean=1, k=-2)", "k of weibull must be >= 0.05, not -2"),
    ("empirical()", "empirical must have at least one number"),
    ("empirical(1, -2)", "value of constant must be >= 0, not -2"),
    ("mix()", "mix must have 1 to 100 parts, not 0"),
    ("mix(constant(1))", "found 'constant' where a number for the weight of a part of mix was expected in"),
    ("mix(1 constant(1))", "':' after a weight"),
    ("mix(0: constant(1))", "the weights of mix must be from 1e-12 to 1e12"),
    ("mix(-1: constant(1))", "the weights of mix must be from 1e-12 to 1e12"),
    ("constant(1) constant(2)", "after the distribution"),
    ("constant(1))", "after the distribution"),
    ("'abc", "quotation mark is not closed"),
    ("(1)", "found '(' where a distribution such as uniform(0.5, 1.5) was expected in '(1)'"),
    ("1_000", "unknown distribution '1_000'"),
    ("٣", "unknown distribution"),
    ("mix(1: " * 100 + "1" + ")" * 100, "8 deep"),
    ("1" * 400_000, "must have at most 300000 characters, not 400000"),
    ("__import__('os').system('false')", "unknown distribution '__import__'"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[text[:30] for text, _ in WRONG])
def test_wrong_texts(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, file="delays.toml", place="timing.delay")
    assert str(caught.value).startswith("delays.toml, timing.delay: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(alphabet="mixuniformexponential()=:,. \"'0123456789e-+#\n", max_size=40) | st.text(max_size=40))
def test_any_text_is_a_distribution_or_bad_input(text: str) -> None:
    try:
        assert parse(str(parse(text))) == parse(text)
    except BadInput:
        pass


@pytest.mark.parametrize("value", [None, True, [], {}, b"1", -1, math.nan, math.inf, pytest.param(10**400, id="long")])
def test_wrong_values(value: object) -> None:
    with pytest.raises(BadInput, match=r"net\.json, graph\.delay: "):
        as_distribution(value, file="net.json", place="graph.delay")


def test_values_as_distributions() -> None:
    assert as_distribution(2) == as_distribution("2") == as_distribution(Constant(2)) == Constant(2.0)


def test_wrong_parameters_from_python() -> None:
    for make in (lambda: Exponential("1"), lambda: Uniform(None, 1), lambda: Constant(True), lambda: Empirical(())):
        with pytest.raises(BadInput):
            make()  # type: ignore[no-untyped-call]
    with pytest.raises(BadInput, match="the parts of mix must be distributions"):
        Mixture(((1.0, "constant(1)"),))  # type: ignore[arg-type]


# ---------------------------------------------------------------------- files of numbers


def test_numbers_from_a_file_beside_the_naming_file(tmp_path: Path) -> None:
    (tmp_path / "waits").mkdir()
    (tmp_path / "waits" / "mon day.txt").write_text("# measured\n1\n\n 2.5 \n1e1\r\n", encoding="utf-8")
    (tmp_path / "tue.txt").write_text("3\n", encoding="utf-8")
    file = tmp_path / "experiment.toml"
    d = parse("empirical('waits/mon day.txt')", file=file)
    assert d == Empirical((1.0, 2.5, 10.0))
    assert d.short == "empirical(waits/mon day.txt)"
    assert str(d) == "empirical(1, 2.5, 10)"  # a copy needs no file
    assert parse("empirical(file=tue.txt)", file=file) == parse("empirical(tue.txt)", file=str(file)) == Empirical((3,))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read: No such file"),
        (b"", "this file contains no numbers"),
        (b"# nothing\n", "this file contains no numbers"),
        (b"1\ntwo\n", "line 2: must be a number from 0 to 1e12, not 'two'"),
        (b"1\n-2\n", "line 2: must be a number from 0 to 1e12, not '-2'"),
        (b"nan\n", "line 1: must be a number from 0 to 1e12, not 'nan'"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"1\n" * 600_000, "too long"),
        (b"1\n" * 20_000, "at most 10000 numbers"),
    ],
    ids=["missing", "empty", "comment", "word", "negative", "nan", "binary", "huge", "many"],
)
def test_bad_files_of_numbers(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    if content is not None:
        (tmp_path / "waits.txt").write_bytes(content)
    with pytest.raises(BadInput) as caught:
        parse("empirical(waits.txt)", file=tmp_path / "experiment.toml", place="timing.delay")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folder_instead_of_numbers(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="this is not a file"):
        parse(f"empirical('{tmp_path.as_posix()}')")


# ---------------------------------------------------------------------- draws

many = name_hashes(str(i) for i in range(2000))


@given(distributions, st.integers(0, 2**64 - 1), st.integers(0, 2**45), st.integers(0, 5), st.integers(0, 5))
def test_block_size_does_not_matter(d: Distribution, key: int, first: int, left: int, right: int) -> None:
    keys = np.array([key, 17, key ^ 1], dtype=np.uint64)
    whole = d.draws(keys, first, left + right)
    assert whole.shape == (3, left + right)
    assert whole.dtype == np.float64
    assert whole.tolist() == np.hstack((d.draws(keys, first, left), d.draws(keys, first + left, right))).tolist()
    assert whole[1].tolist() == d.draws([17], first, left + right)[0].tolist()
    if left:
        numbers = np.array([first, first + left - 1], dtype=np.uint64)
        assert d.draws_at(keys[:2], numbers).tolist() == [whole[0, 0], whole[1, left - 1]]


@given(distributions, st.integers(0, 2**64 - 1))
def test_draws_are_finite_and_not_negative(d: Distribution, key: int) -> None:
    values = d.draws([key, 0, 2**64 - 1], 0, 50)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert values.min() >= d.minimum - max(d.quantum, 1e-9 * d.minimum)


@given(simple, st.integers(0, 2**64 - 1))
def test_draws_are_rounded_far_above_the_last_bit(d: Distribution, key: int) -> None:
    values = d.draws([key], 0, 20)[0]
    if isinstance(d, (Constant, Empirical)):
        there = d.values if isinstance(d, Empirical) else (d.value,)
        assert d.quantum == 0
        assert set(values.tolist()) <= set(there)
    else:
        scale = d.mean if not isinstance(d, Normal) else d.mu
        assert d.quantum == 2.0 ** (math.floor(math.log2(scale)) - 30)
        assert (values / d.quantum == np.rint(values / d.quantum)).all()


@pytest.mark.parametrize("text", EXAMPLES)
def test_statistics_of_draws(text: str) -> None:
    d = parse(text)
    values = d.draws(many, 0, 20).ravel()
    error = d.sd / math.sqrt(values.size)
    assert abs(values.mean() - d.mean) <= 4 * error + 1e-9
    assert values.std() == pytest.approx(d.sd, rel=0.06)
    # The Kolmogorov-Smirnov statistic: the largest gap between the distribution function of the draws and the formula,
    # also at steps.
    at = np.unique(values)
    above = np.searchsorted(np.sort(values), at, side="right") / values.size
    assert np.abs(above - d.cdf(at + d.quantum)).max() < 1.95 / math.sqrt(values.size) + 1e-6  # 0.1 %
    lag = np.corrcoef(values[:-1], values[1:])[0, 1] if d.sd else 0.0
    assert abs(lag) < 0.02


@example(Mixture(((1.0, parse("constant(25083)")), (0.5, parse("weibull(mean=0.001, k=41)")))), 0.5)
@given(distributions.filter(lambda d: d.sd > 1e-3 * d.mean), st.floats(0.01, 0.99))
def test_quantile_is_the_inverse_of_cdf(d: Distribution, q: float) -> None:
    x = float(d.quantile(q))
    wide = 1e-6 * x + 1e-290
    assert x == 0 or d.cdf(max(x - wide, 0.0)) <= q + 1e-6
    assert d.cdf(x + wide) >= q - 1e-6


@pytest.mark.parametrize("text", [t for t in EXAMPLES if not t.startswith(("constant", "empirical", "mix"))])
def test_density_is_the_slope_of_cdf(text: str) -> None:
    d = parse(text)
    x = d.quantile(np.linspace(0.05, 0.95, 19))
    h = 1e-6 * x
    slope = (d.cdf(x + h) - d.cdf(x - h)) / (2 * h)
    assert np.allclose(d.density(x), slope, rtol=2e-4)
    assert d.density(-1.0) == 0
    assert d.cdf(-1.0) == 0


@pytest.mark.parametrize(
    ("text", "mean", "sd"),
    [
        ("uniform(1, 3)", 2, 2 / math.sqrt(12)),
        ("exponential(mean=4)", 4, 4),
        ("lognormal(mean=2, sd=0.5)", 2, 0.5),
        ("gamma(mean=3, k=9)", 3, 1),
        ("pareto(mean=1, a=1.5)", 1, math.inf),
        ("weibull(mean=2, k=1)", 2, 2),
        ("normal(0, 1)", math.sqrt(2 / math.pi), math.sqrt(1 - 2 / math.pi)),
        ("normal(5, 0)", 5, 0),
        ("empirical(1, 3)", 2, 1),
        ("mix(1: constant(1), 3: constant(5))", 4, math.sqrt(3)),
    ],
)
def test_mean_and_sd(text: str, mean: float, sd: float) -> None:
    d = parse(text)
    assert d.mean == pytest.approx(mean)
    assert d.sd == pytest.approx(sd)


def test_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    x = np.array([0.01, 0.3, 1.0, 2.0, 7.0])
    for k in (0.3, 1, 4, 40):
        assert np.allclose(Gamma(1, k).cdf(x), stats.gamma.cdf(x, k, scale=1 / k), rtol=1e-10, atol=1e-14)
        assert np.allclose(Gamma(1, k).density(x), stats.gamma.pdf(x, k, scale=1 / k), rtol=1e-10)
    cut = stats.truncnorm(-1, np.inf, loc=1, scale=1)
    assert np.allclose(Normal(1, 1).cdf(x), cut.cdf(x))
    assert Normal(1, 1).mean == pytest.approx(cut.mean())
    assert Normal(1, 1).sd == pytest.approx(cut.std())


def test_constant_and_empirical_are_exact() -> None:
    assert parse("constant(0.1)").draws([1], 0, 3).tolist() == [[0.1, 0.1, 0.1]]
    assert set(parse("empirical(0.1, 0.3)").draws([1], 0, 50).ravel().tolist()) == {0.1, 0.3}


def test_first_draws_are_fixed_for_ever() -> None:
    # Recorded once: any change alters every recorded execution.
    drawn = {text: [float(v).hex() for v in parse(text).draws([291], 0, 2)[0]] for text in EXAMPLES}
    assert drawn == DRAWN


DRAWN = {
    "constant(1.5)": ["0x1.8000000000000p+0", "0x1.8000000000000p+0"],
    "uniform(0.5, 1.5)": ["0x1.10f506bc00000p+0", "0x1.661d211800000p+0"],
    "exponential(mean=2)": ["0x1.2331cea000000p+0", "0x1.b4a5e88000000p-3"],
    "normal(1, 0.2)": ["0x1.088a5e6c00000p+0", "0x1.414a64a400000p+0"],
    "normal(1, 1)": ["0x1.5864231c00000p+0", "0x1.2f948fc400000p+1"],
    "normal(0, 2)": ["0x1.90c7736800000p+0", "0x1.a3b37c0000000p+1"],
    "lognormal(mean=1, sd=0.6)": ["0x1.e1953f6800000p-1", "0x1.bd36a69800000p+0"],
    "gamma(mean=1, k=4)": ["0x1.ff6a9d9000000p-1", "0x1.ac33cd2c00000p+0"],
    "gamma(mean=2, k=0.3)": ["0x1.93972c0000000p-7", "0x1.b4796cd000000p-1"],
    "gamma(mean=1, k=1)": ["0x1.9fec2fd000000p-1", "0x1.2c07a75200000p+1"],
    "pareto(mean=1, a=3.5)": ["0x1.ae3e1e5000000p-1", "0x1.79064ec000000p-1"],
    "weibull(mean=1, k=1.5)": ["0x1.85537f9000000p-1", "0x1.fe0cb62000000p-3"],
    "weibull(mean=3, k=0.8)": ["0x1.4eca185000000p+0", "0x1.4a51df0000000p-3"],
    "empirical(1, 2, 2.5)": ["0x1.0000000000000p+1", "0x1.4000000000000p+1"],
    "mix(0.9: constant(1), 0.1: exponential(mean=5))": ["0x1.0000000000000p+0", "0x1.0000000000000p+0"],
    "mix(1: uniform(0, 1), 3: mix(1: gamma(mean=2, k=2), 1: constant(4)))": [
        "0x1.ad76596000000p-1",
        "0x1.3710596e00000p+2",
    ],
}
