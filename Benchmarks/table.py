"""Compares this program with the tools that a user would otherwise run: task, ours, theirs, ratio, budget."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

from changing import changing
from comparing import comparing
from distance import Distance
from endpoints import test_times
from homes import Homes, identifier, settings
from listening import latencies
from measure import peak_memory, processor_times, times
from plugins import with_plugins
from report import Report
from server import Server
from serving import rates
from sizes import bytes_per_connection
from track import expat_only, home_with_regions, write_track
from typing_tab import installed_shells, tab_time
from users import exchanging_users, showing_users


def start_up(report, program, home):
    environment = settings(home)
    version = [program, "--version"]
    for other, budget in (("git", 1.8), ("curl", 0.4), ("gh", 0.1)):
        report.row("--version", f"{other} --version", budget, "ms",
                   lambda other=other: times(version, [other, "--version"], environment, runs=50))
    # The page lists the bundled plugin. With --no-plugins, the program does not search for plugins.
    for words in (["--help"], ["--help", "--no-plugins"]):
        report.row(" ".join(words), "--version", 1.25, "ms",
                   lambda words=words: times([program, *words], version, environment, runs=50))


def completing(report, program, homes):
    def measured(source, command):
        words = [program, "__complete", source, f"--command={command}", "--", ""]
        return times(words, [program, "--version"], settings(homes[1000]), runs=50)

    report.row("complete a schema's name", "--version", 1.3, "ms", lambda: measured("schema", "schema"))
    report.row("complete a plugin's name", "--version", 1.3, "ms", lambda: measured("plugin", "plugin show"))
    report.row("complete an id, 1,000 tracked", "--version", 1.5, "ms", lambda: measured("connection-id", "connections show"))
    for shell in installed_shells():
        for count, limit in ((1000, 15), (100_000, 60)):
            report.row(f"TAB in {shell}, {count:,} ids, processor time", f"{limit} ms", 1, "ms",
                       lambda shell=shell, count=count, limit=limit: (max(
                           tab_time(program, shell, settings(homes[count]), f"ifttt connections show {typed}")
                           for typed in ("", "K", "Kd7")), limit))


def listing(report, program, homes):
    def ours(count, *words):
        return [program, "connections", "list", "--offline", *words]

    def stored_columns(count):
        """A database with the four columns of the table, as text."""
        database = os.path.join(homes[count], "columns")
        if not os.path.exists(database):
            statement = f"""attach '{homes[count]}/cache.db' as cache; create table connection as select mirror, id, name,
                status, (select group_concat(value ->> 'short_name', ', ') from json_each(document || '}}', '$.services'))
                as services from cache.connection order by mirror, name, id"""
            subprocess.run(["sqlite3", database, statement], check=True)
        return database

    def compared(count, words, theirs, query):
        database = stored_columns(count) if "services" in query else os.path.join(homes[count], "cache.db")
        return times(ours(count, *words), [*theirs, database, query], settings(homes[count]), runs=30 if count == 1000 else 10)

    select = "select {} from connection order by mirror, name, id"
    document, columns, two = select.format("document"), select.format("id, name, status"), select.format("id, name")
    # The program's output, byte for byte: the document, and the fields that are added when it is shown.
    whole = select.format(
        """document || ',"tracked":true,"stale":false,"fetched_at":"'"""
        """ || strftime('%Y-%m-%dT%H:%M:%SZ', fetched_at / 1000, 'unixepoch') || '"}'""")
    four = select.format("id, name, status, services")

    shell, columned, json = ["sqlite3"], ["sqlite3", "-column"], ["sqlite3", "-json"]
    separated = ["sqlite3", "-csv", "-header"]
    for task, count, words, against, theirs, query, budget in (
            ("list 1,000 as JSON", 1000, ["--json"], "sqlite3, the documents", shell, document, 1.0),
            ("list 1,000 as JSON", 1000, ["--json"], "sqlite3, the same output", shell, whole, 1.2),
            ("list 1,000 as a table", 1000, [], "sqlite3 -column, three columns", columned, columns, 1.0),
            ("list 1,000 as a table", 1000, [], "sqlite3 -column, four stored columns", columned, four, 1.0),
            ("list 100,000 as a table", 100_000, [], "sqlite3 -column, four stored columns", columned, four, 1.2),
            ("list 100,000 as a table", 100_000, [], "sqlite3 -column, three columns", columned, columns, 1.5),
            ("list 100,000 as CSV", 100_000, ["-o", "csv"], "sqlite3 -csv, four stored columns", separated, four, 1.1),
            ("list 100,000 as JSON", 100_000, ["--json"], "sqlite3, the documents", shell, document, 1.0),
            ("list 100,000 as JSON", 100_000, ["--json"], "sqlite3, the same output", shell, whole, 0.4),
            ("list 100,000, two fields, JSON", 100_000, ["--json", "--fields", "id,name"], "sqlite3 -json", json, two, 0.7)):
        report.row(task, against, budget, "ms",
                   lambda count=count, words=words, theirs=theirs, query=query: compared(count, words, theirs, query))

    def peak(count):
        return peak_memory(ours(count, "--output", "jsonl"), settings(homes[count]))

    report.row("list 100,000 as JSON Lines, peak memory", "listing 1,000", 1.5, "MB", lambda: (peak(100_000), peak(1000)))


def showing(report, program, homes, server):
    def measured(base, certificates, folder=None, words=("Kd7Rn2Qx",)):
        show = [program, "connections", "show", *words, "--json", "--max-age", "0"]
        curl = ["curl", "--silent", "--cacert", certificates, f"{base}/v2/connections/Kd7Rn2Qx"]
        trust = {"SSL_CERT_FILE": certificates, **({"SSL_CERT_DIR": folder} if folder else {})}
        return times(show, curl, settings(homes[1000], IFTTT_CONNECT_URL=base, **trust), runs=20)

    secure = f"https://localhost:{server.secure}"
    report.row("show one, live, HTTP on loopback", "curl", 1.2, "ms",
               lambda: measured(f"http://127.0.0.1:{server.plain}", server.certificates))
    # Its response replaces the cached one.
    report.row("show a tracked one, live, HTTP", "curl", 1.2, "ms",
               lambda: measured(f"http://127.0.0.1:{server.plain}", server.certificates, words=[identifier(1)]))
    report.row("show one, live, HTTPS on loopback", "curl, one certificate", 1.4, "ms",
               lambda: measured(secure, server.certificates))

    def at_a_distance():
        with Distance(server.secure) as proxy:
            return measured(f"https://localhost:{proxy.port}", server.certificates)

    report.row("show one, live, HTTPS, 50 ms away", "curl, one certificate", 1.15, "ms", at_a_distance)
    bundle, folder = server.system_certificates()
    if bundle:
        report.row("show one, live, HTTPS on loopback", "curl, the system's and one", 1.2, "ms",
                   lambda: measured(secure, bundle, folder))


def refreshing(report, program, homes, server):
    count = 500
    refresh = [program, "connections", "list", "--refresh", "--json"]

    def against_curl(base, measured=times):
        with tempfile.NamedTemporaryFile("w", suffix=".curl") as requests:
            for number in range(count):
                requests.write(f'url = "{base}/v2/connections/{identifier(number)}"\noutput = /dev/null\n')
            requests.flush()
            curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--cacert", server.certificates,
                    "--config", requests.name]
            return measured(refresh, curl, settings(homes[count], IFTTT_CONNECT_URL=base, SSL_CERT_FILE=server.certificates))

    def against_first():
        """The other side begins without a cache each time."""
        home, base = homes[count], f"http://127.0.0.1:{server.plain}"
        first = home + "-first"
        shutil.copytree(home, first, dirs_exist_ok=True)
        forget = ["sh", "-c", 'rm -f "$IFTTT_HOME"/cache.db*; exec "$@"', "sh"]
        keep = ["sh", "-c", 'rm -f "$IFTTT_HOME"/absent*; exec "$@"', "sh"]
        return times([*keep, *refresh], ["env", f"IFTTT_HOME={first}", *forget, *refresh],
                     settings(home, IFTTT_CONNECT_URL=base))

    for name, base in (("HTTP", f"http://127.0.0.1:{server.plain}"), ("HTTPS", f"https://localhost:{server.secure}")):
        report.row(f"refresh {count}, live, {name}", "curl --parallel, 16 at once", 1.1, "ms",
                   lambda base=base: against_curl(base))
    for name, path, budget in (("0.6", "changed", 1.1), ("3.9", "changed-4", 1.4)):
        report.row(f"refresh {count}, each of {name} KB changed", "curl --parallel, 16 at once", budget, "ms",
                   lambda path=path: against_curl(f"http://127.0.0.1:{server.plain}/{path}"))
    report.row(f"refresh {count}, each changed, processor time", "curl --parallel, 16 at once", 2, "ms",
               lambda: against_curl(f"http://127.0.0.1:{server.plain}/changed", processor_times))

    def at_a_distance():
        with Distance(server.plain) as proxy:
            return against_curl(f"http://127.0.0.1:{proxy.port}/changed")

    report.row(f"refresh {count}, each changed, 50 ms away", "curl --parallel, 16 at once", 1.0, "ms", at_a_distance)
    report.row(f"refresh {count}, nothing changed", "the first refresh", 0.7, "ms", against_first)

    def peak(count):
        return peak_memory(refresh, settings(homes[count], IFTTT_CONNECT_URL=f"http://127.0.0.1:{server.plain}"))

    report.row("refresh 10,000, peak memory", "refreshing 100", 1.5, "MB", lambda: (peak(10_000), peak(100)))


def parsing(report, program, home):
    """Parses and validates ids one by one, and does nothing else with them."""

    def words(count):
        return [program, "connections", "show", "--offline", "--dry-run", "--quiet",
                *(identifier(number) for number in range(count))]

    report.row("parse 10,000 words", "1,000 words", 12, "ms",
               lambda: times(words(10_000), words(1000), settings(home), runs=30))


def walking(report, program, folder):
    """A track through 20 regions. The other side passes the same bytes to the same parser and ignores the result."""
    home, track = os.path.join(folder, "walk"), os.path.join(folder, "walk.gpx")
    environment = settings(home, IFTTT_USER_TOKEN="a-token-for-measuring")
    replay = [program, "location", "replay", track, "--dry-run", "--offline", "--output", "jsonl"]

    def prepare(count):
        if not os.path.exists(home):
            home_with_regions(program, home, settings(home), 20)
        write_track(track, count)

    def timed():
        prepare(100_000)
        return times(replay, [expat_only(folder), track], environment)

    def peak(count):
        prepare(count)
        return peak_memory(replay, environment)

    report.row("replay 100,000 points over 20 regions", "expat, the same file", 1.6, "ms", timed)
    report.row("replay 100,000 points, peak memory", "1,000 points", 1.5, "MB", lambda: (peak(100_000), peak(1000)))


def building(report, folder):
    def build():
        started = time.monotonic()
        subprocess.run(["script/build", "--scratch-path", folder], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.monotonic() - started

    def after_one_verb():
        path = "Sources/ConnectionCommands/Connections/ConnectionsOpen.swift"
        with open(path, encoding="utf-8") as file:
            source = file.read()
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write("\nprivate let changed = 1\n")
            return build()
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)

    report.row(f"clean release build, {os.cpu_count()} cores", "200 seconds", 1, "s", lambda: (build(), 200))
    report.row("release build after a change in one verb", "20 seconds", 1, "s", lambda: (after_one_verb(), 20))


def measure(report, program, builds):
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-") as folder:
        # The other programs are found by name on PATH. A long path would add work for this program only.
        program = shutil.copy(program, os.path.join(folder, "ifttt"))
        empty = os.path.join(folder, "empty")
        start_up(report, program, empty)
        parsing(report, program, empty)
        walking(report, program, folder)
        with Server() as server:
            homes = Homes(program, folder, server)
            completing(report, program, homes)
            listing(report, program, homes)
            showing(report, program, homes, server)
            refreshing(report, program, homes, server)
            comparing(report, program, folder, server)
            with_plugins(report, program, folder, server)
            showing_users(report, program, folder, server)
            exchanging_users(report, program, folder, server)
        changing(report, program, folder)
        report.row("cache per connection of 3 KB", "its JSON", 1.2, "KB", lambda: bytes_per_connection(program, folder))
        report.row("sandbox, GET a connection, 16 clients", "nginx, the same bytes", 0.45, "/s",
                   lambda: rates(program, settings(empty)), more_is_better=True)
        report.row("service test, 40 endpoints, 8 jobs", "the latencies of its requests / 8", 1.3, "ms",
                   lambda: test_times(program, os.path.join(folder, "service-test")))
        report.row("service listen, 1,000 a second, p99", "nginx, 200 and an access log", 10, "ms",
                   lambda: latencies(program, settings(empty)))
        report.row("release binary, stripped", "22 MB", 1, "MB", lambda: (os.path.getsize(program) / 1e6, 22))
        if builds:
            building(report, os.path.join(folder, "build"))


def main():
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("--only", metavar="NAME", default="", help="measure only the rows whose task contains this text")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_const", const="json", dest="form", help="print the rows as a JSON array")
    form.add_argument("--markdown", action="store_const", const="markdown", dest="form", help="print a table for the README")
    parser.add_argument("--no-build", action="store_true", help="skip the builds, which take minutes")
    options = parser.parse_args()
    report = Report(options.only, options.form)
    measure(report, options.program, not options.no_build)
    sys.exit(report.end())


if __name__ == "__main__":
    main()
