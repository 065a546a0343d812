"""The module that build_native.py makes: the C library as cffi shows it."""

from typing import Any

ffi: Any
lib: Any
