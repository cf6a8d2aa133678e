"""The one exception that stands for a user's mistake."""

from __future__ import annotations


class KatachiError(Exception):
    """Bad input, told in one sentence: what is wrong, where, and what to do about it.

    The command line prints the sentence and exits with code 2. Anything else that is raised is a
    fault of the program and keeps its traceback.
    """
