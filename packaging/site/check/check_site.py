#!/usr/bin/env python3
"""Checks a built site and the documents: check/check_site.py FOLDER. Prints a line for each problem, and fails if there is one."""
import subprocess
import sys
from pathlib import Path

from blocks import Blocks
from pages import Site
from views import Views


ROOT = Path(__file__).resolve().parents[3]


def documents():
    """The Markdown files of the checkout, except data of tests, parts of the program, and templates with placeholders."""
    excluded = [":!Tests", ":!Sources", ":!Examples/plugins/templates"]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md", *excluded], cwd=ROOT,
        check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def main(folder):
    site = Site(folder)
    checks = [Blocks(ROOT, documents()).problems(), site.problems(), Views(site).problems()]
    problems = list(dict.fromkeys(problem for check in checks for problem in check))
    for problem in problems:
        print(problem)
    print(f"{len(site.pages)} pages, {len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
