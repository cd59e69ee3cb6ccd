"""Our dataclasses behave as the standard ones, whose methods are written at import."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from functools import cached_property
from typing import Any

import pytest

from memtui.store.records import dataclasses as ours
from tests.places import ROOT


@ours.dataclass(frozen=True, slots=True)
class Base:
    number: int
    name: str


@ours.dataclass(frozen=True, slots=True)
class Point(Base):
    tags: tuple[str, ...] = ()
    notes: list[str] = ours.field(default_factory=list, compare=False)
    secret: str = ours.field(default="", repr=False)


@ours.dataclass(frozen=True)
class Open:
    number: int

    @cached_property
    def double(self) -> int:
        return 2 * self.number


@ours.dataclass(slots=True)
class Draft:
    text: str
    lines: list[str] = ours.field(default_factory=list)
    length: int = ours.field(init=False)

    def __post_init__(self) -> None:
        self.length = len(self.text)


@ours.dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    late: str = "x"
    early: int


def test_a_record_as_a_dict_is_the_standard_one() -> None:
    inner = (Point(1, "a", ("t",), ["n"]), {"b": Point(2, "b")}, [Draft("x")])
    for one in (Open(3), Draft("text", ["a"]), Point(4, "c", inner, [])):  # type: ignore[arg-type]
        assert ours.asdict(one) == dataclasses.asdict(one)


def test_all_instances_are_alike_however_many_were_made_before() -> None:
    made = [Point(1, "a", secret="s") for _ in range(2 * ours.FEW)]
    drafts = [Draft(text="text") for _ in range(2 * ours.FEW)]
    assert made == [made[-1]] * len(made) and drafts == [drafts[-1]] * len(drafts)
    assert all(one.notes is not made[-1].notes for one in made[:-1])


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, "a", (), [], "", 2), {}), ((1,), {"number": 1}), ((1, "a"), {"other": 1})],
)
def test_a_call_that_does_not_fit_is_refused_from_the_first(
    values: tuple[Any, ...], named: dict[str, Any]
) -> None:
    @ours.dataclass(frozen=True, slots=True)
    class Fresh(Base):
        tags: tuple[str, ...] = ()
        notes: list[str] = ours.field(default_factory=list)
        secret: str = ""

    with pytest.raises(TypeError, match=r"__init__\(\)"):
        Fresh(*values, **named)


def test_an_instance_is_made_by_position_by_name_and_of_defaults() -> None:
    one = Point(1, "a", notes=["n"])
    assert (one.number, one.name, one.tags, one.notes, one.secret) == (1, "a", (), ["n"], "")
    assert Point(1, "a").notes == []
    assert Point(1, "a").notes is not Point(1, "a").notes
    assert Named(early=1).late == "x"
    assert Draft("abc").length == 3
    point: Any = Point
    named: Any = Named
    with pytest.raises(TypeError):
        point(1)
    with pytest.raises(TypeError):
        point(1, "a", other=2)
    with pytest.raises(TypeError):
        named(1)


def test_equal_ones_are_equal_and_have_one_hash() -> None:
    assert Point(1, "a", notes=["x"]) == Point(1, "a")
    assert hash(Point(1, "a", notes=["x"])) == hash(Point(1, "a"))
    assert Point(1, "a") != Point(2, "a")
    assert Base(1, "a") != Point(1, "a")
    assert Draft("a") == Draft("a")
    with pytest.raises(TypeError):
        hash(Draft("a"))


def test_it_is_shown_with_its_fields() -> None:
    assert repr(Point(1, "a", ("t",), secret="s")) == "Point(number=1, name='a', tags=('t',), notes=[])"


def test_a_frozen_one_stays_as_it_is_and_has_no_other_attribute() -> None:
    one: Any = Point(1, "a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.number = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.number
    assert not hasattr(one, "__dict__")
    assert Open(2).double == 4
    draft = Draft("a")
    draft.text = "b"
    assert draft.text == "b"


def test_what_dataclasses_offers_works_on_it() -> None:
    one = Point(1, "a", ("t",))
    assert dataclasses.is_dataclass(one)
    assert [field.name for field in dataclasses.fields(one)] == [
        "number", "name", "tags", "notes", "secret",
    ]  # fmt: skip
    assert dataclasses.asdict(one) == {
        "number": 1, "name": "a", "tags": ("t",), "notes": [], "secret": "",
    }  # fmt: skip
    assert dataclasses.replace(one, number=2) == Point(2, "a", ("t",))
    assert ours.replace(one, number=2) == Point(2, "a", ("t",))
    assert ours.replace(Named(early=1), late="y") == Named(early=1, late="y")
    assert ours.annotations_of(Base) == {"number": "int", "name": "str"}


def test_it_is_copied_pickled_and_matched() -> None:
    one = Point(1, "a", ("t",))
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    match one:
        case Point(number, name):
            assert (number, name) == (1, "a")


def test_importing_the_store_imports_neither_dataclasses_nor_openssl() -> None:
    script = (
        "import sys; from memtui.store import Store; "
        "print(*{'dataclasses', 'inspect', 'hashlib', '_hashlib', 'tokenize'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=ROOT
    )
    assert done.stdout.split() == []
