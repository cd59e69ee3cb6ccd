"""No kind of secret, in whatever encoding, is in any byte of any file after a hook's process saw it."""

from collections.abc import Callable

from memtui.store import Store
from tests.promises import Tally, promise
from tests.sizes import sizes
from tests.store.text.secret_samples import SAMPLES
from tests.store.text.test_secret_forms import ENCODINGS, OF_ASCII

from .canaries import SEEN, as_json
from .hooks import Machine, files_below, prompt
from .many_hooks import Told, run_many

FEW = ("password-hash", "kubeconfig-key", "told-password", "seed-phrase", "tailscale-key", "sentry-dsn")


@promise("secrets-never-stored")
@sizes("kinds", len(FEW), len(SAMPLES))
def test_no_kind_in_any_encoding_is_left_anywhere(machine: Machine, kinds: int, tally: Tally) -> None:
    names = FEW if kinds == len(FEW) else tuple(SAMPLES)
    encodings: dict[str, Callable[[str], str]] = {"none": str, **ENCODINGS}
    told: list[Told] = []
    hidden: dict[int, tuple[str, str, bytes]] = {}
    for turn, name in enumerate(names):
        sample = SAMPLES[name]
        for place, (encoding, encode) in enumerate(encodings.items()):
            text = sample.around.format(sample.secret)
            if encoding in OF_ASCII and not text.isascii():
                continue
            # All of a few; of the others, as it is and in one, by turns.
            if name not in FEW and place and turn % (len(encodings) - 1) != place - 1:
                continue
            number = len(told)
            told.append(Told(as_json(prompt(f"seen {number:05} \n{encode(text)}\n"))))
            hidden[number] = (name, encoding, encode(sample.secret).strip("=\"'\\ \n").encode())
    run_many(machine, told)
    machine.drained()
    with Store.open(machine.database) as store:
        store.backup(machine.folder / "backup.db")
        contents = b"\0".join(content for _, content in files_below(machine.folder))
    assert {int(number) for number in SEEN.findall(contents)} == set(hidden)
    left = [
        (name, encoding)
        for name, encoding, secret in hidden.values()
        # Whatever is shorter may stand anywhere by chance.
        if len(secret) >= 9 and secret[len(secret) // 3 :] in contents
    ]
    tally(tried=len(hidden), kept=len(left))
    assert left == []


def test_the_few_are_some_of_all() -> None:
    assert set(FEW) <= set(SAMPLES)
