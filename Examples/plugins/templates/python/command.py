#!/usr/bin/env python3
"""Prints a greeting: 'ifttt @NAME@' runs this program.

ifttt checks the arguments against plugin.json in the same folder and passes them on. Stdin, stdout and stderr are the
user's, and the exit status is also the exit status of ifttt. The environment contains IFTTT_PROFILE and IFTTT_OUTPUT
(the profile and the output format), a few common variables, and those under "environment" in plugin.json.
"""

import argparse
import os

parser = argparse.ArgumentParser(prog="ifttt @NAME@")
parser.add_argument("--loud", action="store_true")
parser.add_argument("who", nargs="*")
arguments = parser.parse_args()

greeting = f"Hello, {' '.join(arguments.who) or os.environ.get('IFTTT_PROFILE', 'default')}."
print(greeting.upper() if arguments.loud else greeting)
