"""The edition in the forms that the tools of others read; each module knows one of them."""

from __future__ import annotations
