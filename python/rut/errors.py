# SPDX-License-Identifier: BSD-3-Clause
"""Errors of rut as exceptions, and what it finds while it reads a world."""
from __future__ import annotations

from dataclasses import dataclass

from ._native import ffi, lib


def text(pointer: object) -> str:
    """A borrowed C string; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


@dataclass(frozen=True)
class Finding:
    """One error, warning or note of reading or compiling a world."""

    level: str  # "note", "warning", "error"
    file: str
    line: int  # from 1; 0: unknown
    column: int
    element: str  # such as "<wheel name='l'>", or ""
    message: str
    hint: str  # what was probably meant, or ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        words = [f"{place}: " if place else "", f"{self.level}: ", f"{self.element}: " if self.element not in self.message else "", self.message]
        return "".join(words) + (f"; {self.hint}" if self.hint else "")


class Error(Exception):
    """What went wrong, where, and what would be right.

    status  name of the rutStatus, such as "PARSE"
    file, line, column  place in a file; "" and 0 where there is none
    element  element of the world concerned, such as "<wheel name='l'>"; or ""
    message  what is wrong, and what would be right
    hint  what was probably meant ("did you mean 'mass'?"), or ""
    findings  all that was found in the same call, errors, warnings and notes
    """

    def __init__(self, message: str, *, status: str = "ARGUMENT", file: str = "", line: int = 0, column: int = 0,
                 element: str = "", hint: str = "", findings: tuple[Finding, ...] = ()):
        self.message, self.status = message, status
        self.file, self.line, self.column = file, line, column
        self.element, self.hint, self.findings = element, hint, tuple(findings)
        super().__init__(str(Finding("error", file, line, column, element, message, hint)))


class Diverged(Error):
    """The state is no longer finite; the simulation keeps the last one that was."""


class Stopped(Error):
    """`Batch.stop` has ended the call; copies have made some of their steps."""


_KINDS = {lib.RUT_ERR_DIVERGED: Diverged, lib.RUT_ERR_STOPPED: Stopped}


def status_name(status: int) -> str:
    """Name of a rutStatus without its prefix: "PARSE"."""
    name = ffi.typeof("rutStatus").elements.get(int(status), str(status))
    return name.removeprefix("RUT_ERR_").removeprefix("RUT_")


def raise_error(status: int, error: object = None, findings: tuple[Finding, ...] = ()) -> None:
    """Raise the exception of a status with what rutError tells."""
    kind = _KINDS.get(status, Error)
    message = text(error.message) if error is not None else ""
    place = (text(error.file), error.line, error.column, text(error.element)) if error is not None else ("", 0, 0, "")
    errors = [f for f in findings if f.level == "error"]
    if errors and not place[1]:
        place = (errors[0].file, errors[0].line, errors[0].column, errors[0].element)
    hint = next((f.hint for f in errors if f.message in message), "")
    raise kind(message or text(lib.rut_status_text(status)), status=status_name(status), file=place[0], line=place[1], column=place[2],
               element=place[3], hint="" if hint in message else hint, findings=findings)


def check(status: int, error: object = None, findings: tuple[Finding, ...] = ()) -> None:
    """Raise unless the status is RUT_OK."""
    if status:
        raise_error(status, error, findings)


def nearest(word: str, candidates: list[str]) -> str:
    """"; did you mean ...?" for a misspelt word, or the list of what there is."""
    texts = [ffi.new("char[]", c.encode()) for c in candidates]
    found = lib.rut_nearest(word.encode(), len(texts), ffi.new("const char*[]", texts))
    if found:
        return f"; did you mean '{text(found)}'?"
    return f"; there {'is' if len(candidates) == 1 else 'are'} {', '.join(candidates)}" if 0 < len(candidates) <= 20 else ""
