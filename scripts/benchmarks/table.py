"""The table that the benchmark prints."""


def microseconds(seconds):
    return f"{seconds * 1e6:.1f} us"


class Table:
    """Rows of what was measured: beside what, the figures, the goal and whether it is met."""

    def __init__(self):
        self.rows = []

    def ratio(self, title, peer, peer_seconds, our_seconds, goal):
        """The peer's cost over ours: 1 is as cheap, more is cheaper."""
        value = peer_seconds / our_seconds
        self._add(title, peer, microseconds(peer_seconds), microseconds(our_seconds), f"{value:.2f}",
                  goal and f">= {goal:.2f}", goal and value >= goal)

    def share(self, title, peer, peer_rate, our_rate, goal):
        value = our_rate / peer_rate
        self._add(title, peer, f"{peer_rate:,.0f} /s", f"{our_rate:,.0f} /s", f"{value:.2f}", f">= {goal:.2f}",
                  value >= goal)

    def at_most(self, title, value, unit, goal):
        digits = 0 if isinstance(value, int) else 1 if value >= 10 else 2
        has_goal = goal is not None
        self._add(title, "", "", f"{value:.{digits}f} {unit}", "", f"<= {goal} {unit}" if has_goal else None,
                  has_goal and value <= goal)

    def _add(self, title, peer, theirs, ours, value, goal, is_met):
        mark = "" if goal is None else "pass" if is_met else "FAIL"
        self.rows.append((title, peer, theirs, ours, value, goal or "", mark))

    def print(self):
        heads = ("measured", "beside", "theirs", "ours", "ratio", "goal", "")
        widths = [max(len(row[i]) for row in [heads, *self.rows]) for i in range(len(heads))]
        for row in [heads, *self.rows]:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
