"""Lets a failed assertion in the shared helpers show its values, as in a test."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.go.helpers")
