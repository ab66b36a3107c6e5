"""Collects and prints the rows of the table."""

import json
import sys


class Report:
    """Prints each row when it is measured, or all rows as JSON at the end."""

    def __init__(self, only, as_json):
        self.only, self.as_json, self.rows = only.lower(), as_json, []
        if not as_json:
            print(f"{'task':<44} {'against':<34} {'ours':>9} {'theirs':>9}     {'ratio':>6} {'budget':>7}", flush=True)

    def row(self, task, against, budget, unit, measured, more_is_better=False):
        """Measures a row: `measured` returns our figure and theirs. Does nothing for a row that was not asked for."""
        if self.only not in task.lower():
            return
        ours, theirs = measured()
        ratio = ours / theirs
        is_met = ratio >= budget if more_is_better else ratio <= budget
        self.rows.append({"task": task, "against": against, "ours": ours, "theirs": theirs, "unit": unit,
                          "ratio": ratio, "budget": budget, "met": is_met})
        if not self.as_json:
            digits = {"ms": 2, "KB": 2, "/s": 0, "": 0}.get(unit, 1)
            verdict = "ok" if is_met else "UNDER" if more_is_better else "OVER"
            line = (f"{task:<44} {against:<34} {ours:>9.{digits}f} {theirs:>9.{digits}f} {unit:<3}"
                    f" {ratio:>6.2f} {budget:>7.2f}  {verdict}")
            print(f"\x1b[1m{line}\x1b[0m" if sys.stdout.isatty() and not is_met else line, flush=True)

    def end(self):
        """Returns the exit code: 0 whatever the figures are, 2 if no task has the name that was asked for."""
        if not self.rows:
            print(f"no task contains '{self.only}'", file=sys.stderr)
            return 2
        if self.as_json:
            print(json.dumps(self.rows, indent=2))
        return 0
