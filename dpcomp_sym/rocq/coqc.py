"""Having a file checked by coqc, and reading what it rests on."""

from __future__ import annotations

import re
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

__all__ = [
    "EXPECTED", "CoqAnswer", "check", "check_either", "check_given", "installed", "library",
    "tampered",
]  # fmt: skip

EXPECTED: Final = frozenset({
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic",
})  # fmt: skip
"""The axioms of the real numbers and of the logic of Rocq's own library, as it prints them."""
MODULES: Final = ("Measure", "Notions", "Compose", "Databases", "Records", "Refute")
SECONDS: Final = 120
NAME: Final = "Certificate"
STRUCTURE: Final = "(* ==== STRUCTURE"
PROVED: Final = "Theorem proved : claim."
END: Final = "\nEnd Statement."

_EXAMPLE: Final = re.compile(
    r"^\(\* ==== POSSIBLE.*?(?=^\(\* ==== AXIOMS)|^Print Assumptions Possible.*?\n",
    re.DOTALL | re.MULTILINE,
)
_FORBIDDEN: Final = re.compile(
    r"\b(Admitted|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Context|admit|Abort|Add"
    r"|Declare|Load|Module|Notation|Infix|Import|Export|Require|Reset|Back|Undo|Redirect|Set|Unset"
    r"|Section|Drop|Hint|Coercion|Canonical|Arguments|Include|Primitive|Register)\b"
)


@dataclass(frozen=True)
class CoqAnswer:
    """What coqc says of a file: whether it accepts it, on which axioms, or why not."""

    accepted: bool
    axioms: tuple[str, ...] = ()
    message: str = ""

    @property
    def foreign(self) -> tuple[str, ...]:
        """The axioms that are not those of Rocq's own real numbers and logic."""
        return tuple(a for a in self.axioms if a not in EXPECTED)

    @property
    def reason(self) -> str:
        """Why it is not a proof."""
        return self.message or f"it rests on {', '.join(self.foreign)}"

    @property
    def holds(self) -> bool:
        """Whether the file is a proof."""
        return self.accepted and not self.foreign


def installed() -> bool:
    """Return whether there is a coqc here."""
    return shutil.which("coqc") is not None


def library() -> Path:
    """Return the folder with the library that the files build on."""
    packed = Path(__file__).parent / "library"
    return packed if packed.is_dir() else Path(__file__).parent.parent.parent / "rocq"


@cache
def _compiled() -> TemporaryDirectory[str]:
    """Return a folder with the compiled library; it goes when the program ends."""
    folder = TemporaryDirectory(prefix="dpcomp-rocq-")
    for module in MODULES:
        shutil.copy(library() / f"{module}.v", folder.name)
        done = _run(Path(folder.name), f"{module}.v")
        if done.returncode:
            raise RuntimeError(f"the library in Rocq is not accepted: {done.stderr}")
    return folder


def _run(folder: Path, file: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("coqc") or "coqc", "-q", "-Q", ".", "Dpcomp", file]
    return subprocess.run(  # noqa: S603 - the program is found by its name, the file is ours
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
    )


def check(text: str, theorem: str = "proved") -> CoqAnswer:
    """Have coqc check a file; what it rests on is asked from outside of the file.

    Args:
        text: the file.
        theorem: the name of what it proves.

    Raises:
        RuntimeError: the library itself is not accepted.
    """
    root = Path(_compiled().name)
    with TemporaryDirectory(dir=root) as inside:
        folder = Path(inside)
        for module in MODULES:
            (folder / f"{module}.vo").symlink_to(root / f"{module}.vo")
        (folder / f"{NAME}.v").write_text(_unasked(text, theorem), encoding="utf-8")
        (folder / "Asked.v").write_text(
            f"From Dpcomp Require {NAME}.\nPrint Assumptions {NAME}.{theorem}.\n", encoding="utf-8"
        )
        try:
            done = _run(folder, f"{NAME}.v")
            if done.returncode:
                return CoqAnswer(False, (), _first(done.stderr))
            asked = _run(folder, "Asked.v")
        except subprocess.TimeoutExpired:
            return CoqAnswer(False, (), f"no answer within {SECONDS} s")
        if asked.returncode:
            return CoqAnswer(False, (), _first(asked.stderr))
        return CoqAnswer(True, _axioms(asked.stdout))


def check_either(text: str) -> tuple[str, CoqAnswer]:
    """Have a file checked, and where its example is not accepted, the file without it.

    Returns the file that the answer is about.
    """
    answer = check(text)
    plain = _EXAMPLE.sub("", text)
    if answer.accepted or plain == text:
        return text, answer
    second = check(plain)
    return (plain, second) if second.accepted else (text, answer)


def check_given(text: str, fresh: str) -> CoqAnswer:
    """Have a file by anyone checked, which is not ``tampered`` with.

    Whatever its words are made to mean, the claim is what its statement says: a name that its
    writer cannot know stands for it from there on, and what is proved is asked by that name.
    """
    head = fresh.partition(STRUCTURE)[0]
    steps, _, rest = _unasked(text[len(head) :], "proved").partition(END)
    own = secrets.token_hex(16)
    lines = [
        f"{head}Definition claim_{own} : Prop := claim.", steps,
        f"Theorem proved_{own} : claim_{own}. Proof. exact proved. Qed.{END}{rest}",
    ]  # fmt: skip
    return check("\n".join(lines), f"proved_{own}")


def _unasked(text: str, theorem: str) -> str:
    r"""Return a file without what it asks at its end: it is asked from outside, and takes long.

    >>> _unasked("Qed.\nPrint Assumptions proved.\n", "proved")
    'Qed.\n'
    """
    return re.sub(rf"(?:^Print Assumptions (?:{theorem}|Possible\.possible)\.\n)+\Z", "", text,
                  flags=re.MULTILINE)  # fmt: skip


def _first(message: str) -> str:
    lines = [line for line in message.splitlines() if line.strip()]
    return " ".join(lines[:2])


def _axioms(printed: str) -> tuple[str, ...]:
    r"""Return the names of the axioms; what is indented belongs to the line before.

    >>> _axioms("Axioms:\nclassic : forall P : Prop, P \\\\/ ~ P\nother\n  : nat\n")
    ('classic', 'other')
    >>> _axioms("Closed under the global context\n")
    ()
    """
    lines = printed.splitlines()
    if "Axioms:" not in lines:
        return ()
    rows = lines[lines.index("Axioms:") + 1 :]
    return tuple(line.split()[0] for line in rows if line and not line[0].isspace())


def tampered(text: str, fresh: str) -> str | None:
    """Return why a file is not one for a statement, None if it may be given to coqc.

    Args:
        text: the file.
        fresh: the one that is written anew for the statement.

    The statement must be there byte for byte; behind it there are only lemmas and tactics.
    """
    head = fresh.partition(STRUCTURE)[0]
    if not text.startswith(head):
        lines = zip(text.splitlines(), head.splitlines(), strict=False)
        number = next((n for n, (a, b) in enumerate(lines, 1) if a != b), len(head.splitlines()))
        return f"its statement differs from line {number} on"
    rest = text[len(head) :].replace("Module Possible.", "", 1)
    word = _FORBIDDEN.search(rest)
    if word is not None:
        return f"its proof says {word.group()}, which is not a step of a proof"
    if rest.count(PROVED) != 1 or rest.count(" proved") != 2 or END not in rest:
        return f"it does not end in '{PROVED}', once"
    return None
