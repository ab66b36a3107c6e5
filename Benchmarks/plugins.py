"""Measures what installed plugins cost a command that does not use them."""

import json
import os
import shutil
import subprocess

from homes import fill, settings
from measure import times

COUNT = 100
# Lists nothing, so that a list with plugins prints the same rows as one without.
PROVIDER = """#!/bin/sh
while read -r line; do
  id=${line#*'"id":'}
  id=${id%%[,\\}]*}
  case $line in
    *initialize*) result='{"protocol":"1","name":"NAME","version":"1","capabilities":["connections/list"]}' ;;
    *) result='{}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
"""


def install(program, folder, environment, count):
    """Installs half of the plugins as providers of connections and half as commands."""
    for number in range(count):
        name, kind = f"plugin-{number}", "provider" if number % 2 else "command"
        source = os.path.join(folder, "sources", name)
        os.makedirs(source)
        manifest = {"schema_version": 1, "name": name, "version": "1.0.0", "summary": f"Plugin {number}", "kind": kind}
        if kind == "provider":
            manifest |= {"protocol": ["1"], "capabilities": ["connections/list"]}
        with open(os.path.join(source, "plugin.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        executable = os.path.join(source, f"ifttt-{name}")
        with open(executable, "w", encoding="utf-8") as file:
            file.write(PROVIDER.replace("NAME", name))
        os.chmod(executable, 0o755)
        subprocess.run([program, "plugin", "install", source, "--yes", "--quiet"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)


def with_plugins(report, program, folder, server):
    few, many = os.path.join(folder, "no-plugins"), os.path.join(folder, "many-plugins")

    def measured(words):
        def run():
            for home in (few, many):
                if os.path.exists(home):
                    continue
                written = f"{home}-written"
                fill(program, written, 1000, server.plain)
                environment = settings(written, IFTTT_CONNECT_URL=f"http://127.0.0.1:{server.plain}")
                if home == many:
                    install(program, folder, environment, COUNT)
                subprocess.run([program, "connections", "list", "--quiet"], env=environment, check=True,
                               stdout=subprocess.DEVNULL)
                # The time to read a file depends on how it was written, by up to 10 %.
                shutil.copytree(written, home)
            return times([program, *words], [program, *words], settings(many), runs=50,
                         their_environment=settings(few))
        return run

    listing = ["connections", "list", "--offline", "--json"]
    report.row(f"--version with {COUNT} plugins", "with none", 1.05, "ms", measured(["--version"]))
    report.row(f"list 1,000 as JSON with {COUNT} plugins", "with none", 1.05, "ms", measured(listing))
    report.row(f"--help with {COUNT} plugins", "with none", 2, "ms", measured(["--help"]))
