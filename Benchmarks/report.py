"""Collects and prints the rows of the table."""

import json
import sys

DIGITS = {"ms": 2, "KB": 2, "/s": 0, "": 0}


class Report:
    """Prints each row when it is measured: as text, or as Markdown. As JSON, prints all rows at the end."""

    def __init__(self, only, form):
        self.only, self.form, self.rows = only.lower(), form, []
        if form == "markdown":
            print("| task | against | ours | theirs | ratio | budget |\n|---|---|--:|--:|--:|--:|", flush=True)
        elif form is None:
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
        digits = DIGITS.get(unit, 1)
        if self.form == "markdown":
            mark = "" if is_met else "**"
            print(f"| {mark}{task}{mark} | {against} | {ours:.{digits}f} {unit} | {theirs:.{digits}f} {unit} |"
                  f" {mark}{ratio:.2f}{mark} | {budget:.2f} |", flush=True)
        elif self.form is None:
            verdict = "ok" if is_met else "UNDER" if more_is_better else "OVER"
            line = (f"{task:<44} {against:<34} {ours:>9.{digits}f} {theirs:>9.{digits}f} {unit:<3}"
                    f" {ratio:>6.2f} {budget:>7.2f}  {verdict}")
            print(f"\x1b[1m{line}\x1b[0m" if sys.stdout.isatty() and not is_met else line, flush=True)

    def end(self):
        """Returns the exit code: 0 whatever the figures are, 2 if no task has the name that was asked for."""
        if not self.rows:
            print(f"no task contains '{self.only}'", file=sys.stderr)
            return 2
        if self.form == "json":
            print(json.dumps(self.rows, indent=2))
        return 0
