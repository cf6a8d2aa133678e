"""Settings of the search, as text."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from katachi.errors import KatachiError
from katachi.search.settings import PRESETS, SearchSettings, parse_settings, priors


def test_presets() -> None:
    assert parse_settings({}) == SearchSettings() == PRESETS["default"]
    for name, settings in PRESETS.items():
        assert parse_settings({"preset": name}) == settings
    # Table 2's three programs: each differs from the one before by what its name says.
    none, patterns = PRESETS["no-patterns"], PRESETS["patterns"]
    assert replace(none, playouts="pattern") == patterns
    assert replace(patterns, widening="journal", model_after=0) == PRESETS["patterns-and-widening"]
    assert patterns.rave == patterns.prior_even == patterns.prior_won == patterns.expand_after == 0


def test_values_change_the_preset() -> None:
    texts = {"preset": "patterns", "ucb": "0.25", "expand_after": "7", "widening": "workshop"}
    want = replace(PRESETS["patterns"], ucb=0.25, expand_after=7, widening="workshop")
    assert parse_settings(texts) == want
    assert parse_settings(dict(reversed(texts.items()))) == want


def test_every_setting_can_be_told() -> None:
    other = SearchSettings(
        playouts="uniform",
        self_atari="any",
        expand_after=5,
        model_after=-1,
        widening="journal",
        ucb=0.5,
        rave=1.0,
        gammas="fitted",
        nakade=0.5,
        answers="whole",
        tight=0.5,
        children="legal",
        prior_even=2.0,
        prior_won=3.0,
        prior_fades=8.0,
        bias=0.25,
        forced=0.5,
        urgency=-4.0,
        virtual_loss=2,
        resign=0.5,
        simulations=77,
    )
    texts = {f.name: str(getattr(other, f.name)) for f in fields(other)}
    assert parse_settings(texts) == other
    default = SearchSettings()
    assert all(getattr(other, f.name) != getattr(default, f.name) for f in fields(other))


def test_the_model_is_trusted_more_on_larger_boards() -> None:
    default = SearchSettings()
    assert priors(default, 9) == (30, 40)
    assert priors(default, 13) == (22, 72)
    assert priors(default, 19) == (10, 120)
    assert priors(default, 2) == (44, 40)
    assert priors(replace(default, prior_even=3.0), 19) == (3, 120)
    assert priors(replace(default, prior_won=0.0), 9) == (30, 0)
    assert priors(parse_settings({"prior_won": "-1"}), 9) == (30, 40)
    for preset in ("no-patterns", "patterns", "patterns-and-widening"):
        assert priors(PRESETS[preset], 9) == (0, 0)


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"preset": "fast"}, "there is no preset 'fast': choose from default, no-patterns, "),
        ({"preset": ""}, "there is no preset ''"),
        ({"rawe": "1"}, "there is no setting 'rawe': choose from preset, playouts, self_atari, "),
        ({"self_atari": "never"}, "self_atari=never is none of useful, any"),
        ({"rave": "many"}, "the setting rave=many is not a number"),
        ({"rave": ""}, "the setting rave= is not a number"),
        ({"expand_after": "2.5"}, "the setting expand_after=2.5 is not a whole number"),
        ({"expand_after": "-1"}, "expand_after=-1 is not 0 or more"),
        ({"expand_after": "9999999999"}, "expand_after=9999999999 is not"),
        ({"model_after": "-2"}, "model_after=-2 is not -1 or more"),
        ({"simulations": "0"}, "simulations=0 is not 1 or more"),
        ({"virtual_loss": "0"}, "virtual_loss=0 is not 1 or more"),
        ({"rave": "-1"}, "rave=-1.0 is not between 0 and 1e9"),
        ({"ucb": "nan"}, "ucb=nan is not between 0 and 1e9"),
        ({"answers": "some"}, "answers=some is none of capped, whole"),
        ({"tight": "0"}, "tight=0.0 is not above 0 and up to 1"),
        ({"tight": "1.5"}, "tight=1.5 is not above 0 and up to 1"),
        ({"forced": "-1"}, "forced=-1.0 is not between 0 and 1e9"),
        ({"bias": "inf"}, "bias=inf is not between 0 and 1e9"),
        ({"prior_won": "-0.1"}, "prior_won=-0.1 is not between 0 and 1e9"),
        ({"prior_even": "1e10"}, "prior_even=10000000000.0 is not between 0 and 1e9"),
        ({"resign": "1"}, "resign=1.0 is not between 0 and 1"),
        ({"resign": "nan"}, "resign=nan is not between 0 and 1"),
        ({"urgency": "inf"}, "urgency=inf is no number to go by"),
        ({"urgency": "nan"}, "urgency=nan is no number to go by"),
        ({"widening": "late"}, "widening=late is none of none, journal, workshop"),
        ({"playouts": "light"}, "playouts=light is none of pattern, uniform"),
    ],
)
def test_mistakes_are_told_in_one_sentence(texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(KatachiError) as error:
        parse_settings(texts)
    said = str(error.value)
    assert said.startswith(sentence)
    assert "\n" not in said
    assert not said.endswith(".")
