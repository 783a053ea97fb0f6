"""Skills about time and money: plain Python, with whatever this machine has installed."""

import dataclasses
import datetime
import zoneinfo
from typing import Literal


class TimeSkill:
    """Each public method is a tool; the docstring is what agents read."""

    def get_current_time(self, timezone: str = "UTC") -> str:
        """The time now, in ISO 8601.

        timezone is a name such as Europe/Vienna."""
        return datetime.datetime.now(zoneinfo.ZoneInfo(timezone)).isoformat(timespec="seconds")

    def days_between(self, first: datetime.date, last: datetime.date) -> int:
        """How many days there are from one date to another."""
        return (last - first).days


@dataclasses.dataclass
class Item:
    price: float
    count: int = 1


class InvoiceSkill:
    def total(self, items: list[Item], rounding: Literal["cent", "euro"] = "cent") -> float:
        """The sum of an invoice."""
        if not items:
            raise ValueError("an invoice has at least one item")
        total = sum(item.price * item.count for item in items)
        return round(total, 2 if rounding == "cent" else 0)
