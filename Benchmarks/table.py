"""Compares this program with the tools that a user would otherwise run: task, ours, theirs, ratio, budget."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from measure import peak_memory, times
from server import Server
from serving import rates
from track import expat_only, home_with_regions, write_track

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def identifier(number):
    """An id of eight letters and digits that looks random and is the same in every run."""
    value = (number * 0x9E3779B97F4A7C15 + 0x1234567) % 62**8
    letters = ""
    for _ in range(8):
        value, digit = divmod(value, 62)
        letters += ALPHABET[digit]
    return letters


def row(task, against, ours, theirs, unit, budget):
    ratio = ours / theirs
    verdict = "ok" if ratio <= budget else "OVER"
    digits = 2 if unit == "ms" else 1
    print(f"{task:<44} {against:<32} {ours:>9.{digits}f} {theirs:>9.{digits}f} {unit:<3}"
          f" {ratio:>6.2f} {budget:>7.2f}  {verdict}", flush=True)


def settings(home, **more):
    """The caller's environment without the variables that would affect the measurements."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("IFTTT_") and name not in ("SSL_CERT_DIR", "CURL_CA_BUNDLE", "CI")
            and not name.lower().endswith("_proxy")}
    return {**kept, "IFTTT_HOME": home, **more}


def fill(program, home, count, server):
    """Tracks `count` connections as a user would."""
    environment = settings(home, IFTTT_CONNECT_URL=f"http://127.0.0.1:{server.plain}")
    words = "\n".join(identifier(number) for number in range(count))
    subprocess.run(["xargs", "-n", "5000", program, "connections", "add", "--quiet"],
                   env=environment, input=words.encode(), check=True, stdout=subprocess.DEVNULL)


def start_up(program, home):
    environment = settings(home)
    version = [program, "--version"]
    row("--version", "git --version", *times(version, ["git", "--version"], environment, runs=50), "ms", 1.8)
    row("--version", "curl --version", *times(version, ["curl", "--version"], environment), "ms", 0.4)
    row("--version", "gh --version", *times(version, ["gh", "--version"], environment), "ms", 0.1)
    # The page lists the bundled plugin. With --no-plugins, the program does not search for plugins.
    row("--help", "--version", *times([program, "--help"], version, environment, runs=50), "ms", 1.3)
    row("--help --no-plugins", "--version",
        *times([program, "--help", "--no-plugins"], version, environment, runs=50), "ms", 1.3)


def listing(program, homes):
    def database(count):
        return os.path.join(homes[count], "cache.db")

    def ours(count, *words):
        return [program, "connections", "list", "--offline", *words]

    def complete(source, command):
        return [program, "__complete", source, f"--command={command}", "--", ""]

    select = "select {} from connection order by mirror, name, id"
    document, columns, two = select.format("document"), select.format("id, name, status"), select.format("id, name")
    # The program's output, byte for byte: the document, and the fields that are added when it is shown.
    whole = select.format(
        """document || ',"tracked":true,"stale":false,"fetched_at":"'"""
        """ || strftime('%Y-%m-%dT%H:%M:%SZ', fetched_at / 1000, 'unixepoch') || '"}'""")
    services = select.format(
        "id, name, status, (select group_concat(value ->> 'short_name', ', ') from json_each(document || '}', '$.services'))")

    environment, version = settings(homes[1000]), [program, "--version"]
    row("complete a schema's name", "--version",
        *times(complete("schema", "schema"), version, environment, runs=50), "ms", 1.3)
    row("complete a plugin's name", "--version",
        *times(complete("plugin", "plugin show"), version, environment, runs=50), "ms", 1.3)
    row("complete an id, 1,000 tracked", "--version",
        *times(complete("connection-id", "connections show"), version, environment, runs=50), "ms", 1.3)
    for query, against in ((document, "the documents"), (whole, "the same output")):
        row("list 1,000 as JSON", f"sqlite3, {against}",
            *times(ours(1000, "--json"), ["sqlite3", database(1000), query], environment, runs=30), "ms", 1.0)
    for query, against in ((columns, "three columns"), (services, "the same columns")):
        row("list 1,000 as a table", f"sqlite3 -column, {against}",
            *times(ours(1000), ["sqlite3", "-column", database(1000), query], environment, runs=30), "ms", 1.0)

    environment = settings(homes[100_000])
    for query, against in ((document, "the documents"), (whole, "the same output")):
        row("list 100,000 as JSON", f"sqlite3, {against}",
            *times(ours(100_000, "--json"), ["sqlite3", database(100_000), query], environment), "ms", 0.8)
    row("list 100,000, two fields, JSON", "sqlite3 -json",
        *times(ours(100_000, "--json", "--fields", "id,name"),
               ["sqlite3", "-json", database(100_000), two], environment), "ms", 1.0)
    lines = ["--output", "jsonl"]
    row("list 100,000 as JSON Lines, peak memory", "listing 1,000",
        peak_memory(ours(100_000, *lines), settings(homes[100_000])),
        peak_memory(ours(1000, *lines), settings(homes[1000])), "MB", 1.5)


def carrying(program, home):
    """The cost of 20 installed plugins, for a command that does not use them and for the page that lists them."""
    laden = home + "-plugins"
    shutil.copytree(home, laden)
    with tempfile.TemporaryDirectory(prefix="ifttt-plugins-") as folder:
        for number in range(20):
            source = os.path.join(folder, f"tides{number}")
            for words in (["new", f"tides{number}", "--directory", source], ["install", source, "--yes"]):
                subprocess.run([program, "plugin", *words], env=settings(laden), check=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # The two folder names have the same length, so that the sides differ only in the plugins.
    bare = home + "-without"
    shutil.copytree(home, bare)

    def listed(folder):
        return ["env", f"IFTTT_HOME={folder}", program, "connections", "list", "--offline", "--json"]

    row("list 1,000 with 20 plugins installed", "without any",
        *times(listed(laden), listed(bare), settings(home), runs=50), "ms", 1.05)
    row("--help with 20 plugins installed", "without any",
        *times(["env", f"IFTTT_HOME={laden}", program, "--help"], ["env", f"IFTTT_HOME={bare}", program, "--help"],
               settings(home), runs=50), "ms", 2)


def showing(program, home, server):
    base = f"https://localhost:{server.secure}"
    show = [program, "connections", "show", "Kd7Rn2Qx", "--json", "--no-track", "--max-age", "0"]

    def curl(certificates):
        return ["curl", "--silent", "--cacert", certificates, f"{base}/v2/connections/Kd7Rn2Qx"]

    environment = settings(home, IFTTT_CONNECT_URL=base, SSL_CERT_FILE=server.certificates)
    row("show one, live, HTTPS on loopback", "curl, one certificate",
        *times(show, curl(server.certificates), environment, runs=20), "ms", 1.2)
    bundle, folder = server.system_certificates()
    if bundle:
        environment = settings(home, IFTTT_CONNECT_URL=base, SSL_CERT_FILE=bundle, SSL_CERT_DIR=folder)
        row("show one, live, HTTPS on loopback", "curl, the system's and one",
            *times(show, curl(bundle), environment, runs=20), "ms", 1.2)


def refreshing(program, home, count, server):
    base = f"http://127.0.0.1:{server.plain}"
    names = [identifier(number) for number in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".curl") as requests:
        for name in names:
            requests.write(f'url = "{base}/v2/connections/{name}"\noutput = /dev/null\n')
        requests.flush()
        row(f"refresh {count}, live", "curl --parallel, 16 at once",
            *times([program, "connections", "list", "--refresh", "--json"],
                   ["curl", "--silent", "--parallel", "--parallel-max", "16", "--config", requests.name],
                   settings(home, IFTTT_CONNECT_URL=base)), "ms", 1.2)


def remembering(program, homes, server):
    """The memory of a refresh of many connections, compared with a refresh of few."""
    base = f"http://127.0.0.1:{server.plain}"

    def peak(count):
        return peak_memory([program, "connections", "list", "--refresh", "--json"],
                           settings(homes[count], IFTTT_CONNECT_URL=base))

    row("refresh 10,000, peak memory", "refreshing 100", peak(10_000), peak(100), "MB", 3)


def parsing(program, home):
    """Parses and validates ids one by one, and does nothing else with them."""

    def words(count):
        return [program, "connections", "show", "--offline", "--dry-run", "--quiet",
                *(identifier(number) for number in range(count))]

    row("parse 10,000 words", "1,000 words", *times(words(10_000), words(1000), settings(home), runs=30), "ms", 12)


def walking(program, folder):
    """A track through 20 regions. The other side passes the same bytes to the same parser and ignores the result."""
    home, track, reader = os.path.join(folder, "walk"), os.path.join(folder, "walk.gpx"), expat_only(folder)
    home_with_regions(program, home, settings(home), 20)
    environment = settings(home, IFTTT_USER_TOKEN="a-token-for-measuring")
    replay = [program, "location", "replay", track, "--dry-run", "--offline", "--output", "jsonl"]
    memory = {}
    for count in (1000, 100_000):
        write_track(track, count)
        memory[count] = peak_memory(replay, environment)
    row("replay 100,000 points over 20 regions", "expat, the same file", *times(replay, [reader, track], environment), "ms", 2)
    row("replay 100,000 points, peak memory", "1,000 points", memory[100_000], memory[1000], "MB", 1.5)


def serving(program, home):
    # A rate: more is better, and the budget is the minimum.
    ours, theirs = rates(program, settings(home))
    verdict = "ok" if ours / theirs >= 0.3 else "UNDER"
    print(f"{'sandbox, GET a connection, 16 clients':<44} {'nginx, the same bytes':<32} {ours:>9.0f} {theirs:>9.0f} /s "
          f" {ours / theirs:>6.2f} {0.3:>7.2f}  {verdict}", flush=True)


def clean_build(folder):
    started = time.monotonic()
    subprocess.run(["script/build", "--scratch-path", folder], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    row(f"clean release build, {os.cpu_count()} cores", "4 minutes", time.monotonic() - started, 240, "s", 1)


def main(program, builds):
    print(f"{'task':<44} {'against':<32} {'ours':>9} {'theirs':>9}     {'ratio':>6} {'budget':>7}")
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-") as folder:
        # The other programs are found by name on PATH. A long path would add work for this program only.
        program = shutil.copy(program, os.path.join(folder, "ifttt"))
        start_up(program, os.path.join(folder, "empty"))
        parsing(program, os.path.join(folder, "empty"))
        walking(program, folder)
        with Server() as server:
            homes = {}
            for count in (100, 500, 1000, 10_000, 100_000):
                homes[count] = os.path.join(folder, str(count))
                fill(program, homes[count], count, server)
            listing(program, homes)
            carrying(program, homes[1000])
            showing(program, homes[1000], server)
            refreshing(program, homes[500], 500, server)
            remembering(program, homes, server)
        serving(program, homes[500])
        row("release binary, stripped", "20 MB", os.path.getsize(program) / 1e6, 20, "MB", 1)
        if builds:
            clean_build(os.path.join(folder, "build"))


if __name__ == "__main__":
    main(sys.argv[1], "--no-build" not in sys.argv[2:])
