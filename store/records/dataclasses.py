"""Dataclasses whose methods are written when they are first used.

The standard library writes and compiles them while a module is imported, which was a third of what
it takes to import the store. The decorator, `field`, `replace` and `asdict` are used as those of
`dataclasses`, and to a type checker the first three are those; so are the classes to what looks into
dataclasses (`dataclasses.fields`). Annotations are expected to be texts (`from __future__ import
annotations`).
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field as StandardField
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any

MISSING = object()
"""The default of a field that has none."""
FEW = 3
"""So many instances of a class are made without compiling anything for them."""


class Field:
    """What a class says of one of its fields; `annotation` as it is written."""

    __slots__ = ("annotation", "compare", "default", "factory", "init", "repr")

    def __init__(
        self, default: Any, factory: Any, init: bool, repr: bool, compare: bool, annotation: str
    ) -> None:
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.annotation = annotation


class Layout:
    """The fields of a class by name, in order, and how its instances are written."""

    __slots__ = ("compared", "fields", "frozen", "kw_only", "shown")

    def __init__(self, fields: dict[str, Field], *, frozen: bool, kw_only: bool) -> None:
        self.fields = fields
        self.frozen = frozen
        self.kw_only = kw_only
        self.shown = [name for name, item in fields.items() if item.repr]
        compared = [name for name, entry in fields.items() if entry.compare]
        # One name or none would give no tuple.
        self.compared: Callable[[Any], tuple[Any, ...]] = (
            attrgetter(*compared)
            if len(compared) > 1
            else lambda one: tuple(getattr(one, name) for name in compared)
        )


def annotations_of(record: Any) -> dict[str, str]:
    """The names of a class's fields, in order, with their annotations as they are written."""
    layout: Layout = record.__layout__
    return {name: item.annotation for name, item in layout.fields.items()}


if not TYPE_CHECKING:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False):
        """As `dataclasses.dataclass`."""

        def made(cls):
            return _made(cls, frozen=frozen, slots=slots, kw_only=kw_only)

        return made if cls is None else made(cls)

    def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True):
        """As `dataclasses.field`."""
        return Field(default, default_factory, init, repr, compare, "")

    def replace(record, /, **changes):
        """As `dataclasses.replace`."""
        for name, one in record.__layout__.fields.items():
            if one.init and name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)


def asdict(record: Any) -> dict[str, Any]:
    """As `dataclasses.asdict`, for values that JSON can hold: what is no record or collection stays as it
    is."""
    return {name: _plain(getattr(record, name)) for name in record.__layout__.fields}


def _plain(value: Any) -> Any:
    if hasattr(type(value), "__layout__"):
        return asdict(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, tuple):
        items = [_plain(one) for one in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


class StandardFields:
    """What `dataclasses` looks for in a class, made when it does."""

    def __get__(self, _instance: object, owner: Any) -> dict[str, StandardField[Any]]:
        from dataclasses import MISSING as NONE
        from dataclasses import field as standard_field
        from dataclasses import make_dataclass

        layout: Layout = owner.__layout__
        fields = [
            (
                name,
                item.annotation,
                standard_field(
                    default=NONE if item.default is MISSING else item.default,
                    default_factory=NONE if item.factory is MISSING else item.factory,
                    init=item.init,
                    repr=item.repr,
                    compare=item.compare,
                ),
            )
            for name, item in layout.fields.items()
        ]
        made: Any = make_dataclass(owner.__name__, fields, init=False, repr=False, eq=False)
        results: dict[str, StandardField[Any]] = made.__dataclass_fields__
        owner.__dataclass_fields__ = results
        return results


def _made(cls: Any, *, frozen: bool, slots: bool, kw_only: bool) -> Any:
    inherited: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        if layout := base.__dict__.get("__layout__"):
            inherited |= layout.fields
    own: dict[str, Field] = {}
    for name, annotation in cls.__annotations__.items():
        default = cls.__dict__.get(name, MISSING)
        if not isinstance(default, Field):
            default = Field(default, MISSING, True, True, True, "")
        elif not slots:
            delattr(cls, name)
        default.annotation = annotation
        own[name] = default
    if slots:
        names = [name for name in own if name not in inherited]
        left_out = {"__dict__", "__weakref__", *own}
        kept = {name: value for name, value in cls.__dict__.items() if name not in left_out}
        qualname = cls.__qualname__
        cls = type(cls)(cls.__name__, cls.__bases__, kept | {"__slots__": tuple(names)})
        cls.__qualname__ = qualname
    fields = inherited | own
    methods: dict[str, Any] = {"__repr__": _repr, "__eq__": _eq, "__init__": _first_init(cls)}
    methods["__hash__"] = _hash if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if slots:
        methods |= {"__getstate__": _getstate, "__setstate__": _setstate}
    positional = () if kw_only else tuple(name for name in fields if fields[name].init)
    for name, method in (methods | {"__match_args__": positional}).items():
        if name not in cls.__dict__ or (name == "__hash__" and cls.__dict__[name] is None):
            setattr(cls, name, method)
    cls.__layout__ = Layout(fields, frozen=frozen, kw_only=kw_only)
    cls.__dataclass_fields__ = StandardFields()
    return cls


def _first_init(cls: Any) -> Callable[..., None]:
    """An `__init__` that writes the real one, in whose place it stands until it was called a few times:
    of most classes a command makes one or two instances, in less time than it takes to compile that."""
    calls = 0

    def first_init(self: Any, *values: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        if calls <= FEW and (results := _values_of(cls.__layout__, values, named)) is not None:
            for name, value in results.items():
                object.__setattr__(self, name, value)
            if hasattr(cls, "__post_init__"):
                self.__post_init__()
            return
        cls.__init__ = _written_init(cls)
        cls.__init__(self, *values, **named)

    return first_init


def _values_of(layout: Layout, values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fields that an instance made so has; None where it can't be, which the written
    `__init__` tells as usual."""
    names = [name for name, item in layout.fields.items() if item.init]
    given = dict(zip(names, values, strict=False))
    if (
        len(values) > (0 if layout.kw_only else len(names))
        or not given.keys().isdisjoint(named)
        or not named.keys() <= set(names)
    ):
        return None
    given |= named
    results: dict[str, Any] = {}
    for name, entry in layout.fields.items():
        if name in given:
            results[name] = given[name]
        elif entry.factory is not MISSING:
            results[name] = entry.factory()
        elif entry.default is not MISSING:
            results[name] = entry.default
        elif entry.init:
            return None
    return results


def _written_init(cls: Any) -> Any:
    layout: Layout = cls.__layout__
    parameters = ["self", "*"] if layout.kw_only else ["self"]
    known: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
    lines: list[str] = []
    for name, item in layout.fields.items():
        value = name
        if item.factory is not MISSING:
            known[f"_factory_{name}"] = item.factory
            value = f"_factory_{name}()"
            if item.init:
                parameters.append(f"{name}=_missing")
                value = f"{value} if {name} is _missing else {name}"
        elif item.default is not MISSING:
            known[f"_default_{name}"] = item.default
            value = f"_default_{name}"
            if item.init:
                parameters.append(f"{name}={value}")
                value = name
        elif item.init:
            parameters.append(name)
        else:
            continue
        lines.append(_assignment(cls, layout, name, value, known))
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n {body}", known)
    written = known["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


def _assignment(cls: Any, layout: Layout, name: str, value: str, known: dict[str, Any]) -> str:
    if not layout.frozen:
        return f"self.{name} = {value}"
    slot: Any = getattr(cls, name, None)
    if type(slot) is not _SLOT:
        return f"_set(self, {name!r}, {value})"
    known[f"_set_{name}"] = slot.__set__
    return f"_set_{name}(self, {value})"


_SLOT: Any = type(vars(Field)["init"])


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__layout__.shown)
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    compared = self.__layout__.compared
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(self.__layout__.compared(self))


def _refuse_to_set(_self: Any, name: str, _value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__layout__.fields]


def _setstate(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__layout__.fields, state, strict=True):
        object.__setattr__(self, name, value)
