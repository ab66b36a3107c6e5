#!/usr/bin/env python3
"""Checks a built site: check/site.py FOLDER. Prints a line for each problem, and fails if there is one."""
import sys

from pages import Site
from views import Views


def main(folder):
    site = Site(folder)
    problems = list(dict.fromkeys([*site.problems(), *Views(site).problems()]))
    for problem in problems:
        print(problem)
    print(f"{len(site.pages)} pages, {len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
