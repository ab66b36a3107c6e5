"""Compares `connections diff` of a file with the cached connections with jq, which compares two such files."""

import json
import os
import subprocess

from homes import fill, settings
from measure import times

COUNT = 1000
# Prints the entries that differ.
QUERY = "[.connections, $other[0].connections] | transpose | map(select(.[0] != .[1])) | .[]"


def comparing(report, program, folder, server):
    home = os.path.join(folder, "comparing")
    user = {"IFTTT_SERVICE_KEY": "a-service-key-for-measuring", "IFTTT_USER_ID": "u-1"}
    base = f"http://127.0.0.1:{server.plain}/user"
    environment = settings(home, IFTTT_CONNECT_URL=base, **user)

    def measured():
        fill(program, home, COUNT, server.plain, IFTTT_CONNECT_URL=base, **user)
        present, wanted = os.path.join(folder, "present.json"), os.path.join(folder, "wanted.json")
        export = [program, "connections", "export", "--all", "--offline"]
        with open(present, "wb") as file:
            subprocess.run(export, env=environment, check=True, stdout=file)
        with open(present, encoding="utf-8") as file:
            state = json.load(file)
        for connection in state["connections"][::100]:
            connection["features"][0]["fields"]["note"] = "until noon"
        with open(wanted, "w", encoding="utf-8") as file:
            json.dump(state, file, indent=2)
        diff = [program, "connections", "diff", wanted, "--offline", "--json"]
        found = subprocess.run(diff, env=environment, check=True, capture_output=True).stdout.count(b'"change":')
        assert found == COUNT // 100, f"{found} differences"
        return times(diff, ["jq", "--compact-output", "--slurpfile", "other", present, QUERY, wanted], environment, runs=30)

    report.row("compare a file of 1,000, cached", "jq, two such files", 0.45, "ms", measured)
