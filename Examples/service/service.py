#!/usr/bin/env python3
"""Lampost Lights, a small partner service: a server that responds to IFTTT. It needs only Python's standard library."""

import argparse
import os
import signal
import sys
import threading

from endpoints import Service
from lamps import House
from oauth import SignIn
from rules import RULES, break_rule
from server import Application, Server

REDIRECT_URI = "https://ifttt.com/channels/lampost/authorize"
DEMO_KEY = "lampost-demo-key"
DEMO_SECRET = "lampost-demo-secret"


def arguments():
    parser = argparse.ArgumentParser(
        description="Run Lampost Lights, a demonstration of a partner service of IFTTT.",
        epilog="The environment variable LAMPOST_SERVICE_KEY also sets the service key.")
    option = parser.add_argument
    option("--port", type=int, default=0, metavar="N", help="port; default: 0, a free port")
    option("--bind", default="127.0.0.1", metavar="ADDRESS", help="address to listen on; default: 127.0.0.1")
    option("--service-key-file", metavar="FILE", help=f"file with the service key; default key: {DEMO_KEY}")
    option("--client-id", default="ifttt", metavar="ID", help="IFTTT's client id; default: ifttt")
    option("--client-secret-file", metavar="FILE", help=f"file with IFTTT's secret; default secret: {DEMO_SECRET}")
    option("--redirect-uri", action="append", metavar="URI",
           help=f"accepted callback URL of a sign-in, repeatable; default: {REDIRECT_URI}; "
                "callback URLs on this machine are always accepted")
    option("--token-lifetime", type=int, metavar="SECONDS", help="lifetime of access tokens; default: unlimited")
    option("--no-sign-in", action="store_true", help="run as a service without users")
    option("--auto-allow", action="store_true", help="sign in without the page that has the buttons")
    option("--break", dest="broken", action="append", default=[], choices=RULES, metavar="RULE",
           help="break a rule of IFTTT, repeatable")
    option("--list-rules", action="store_true", help="list the rules for --break")
    option("--log", metavar="FILE", help="append each request to a file, one JSON object per line")
    option("--stop-with-stdin", action="store_true", help="stop when stdin is closed")
    return parser, parser.parse_args()


def secret(parser, file, default):
    if not file:
        return default
    try:
        with open(file, encoding="utf-8") as lines:
            value = lines.read().strip()
    except (OSError, UnicodeDecodeError) as problem:
        parser.error(f"{file} cannot be read: {problem}")
    return value or parser.error(f"{file} is empty")


def stop_with_stdin(server):
    # sys.stdin has a lock, which this thread would hold at the exit of the program.
    while os.read(0, 4096):
        pass
    server.shutdown()


def main():
    parser, options = arguments()
    if options.list_rules:
        for name, rule in RULES.items():
            mark = "*" if rule.needs_sign_in else ""
            print(f"{name + mark:<55}  {rule.defect}")
        return
    key = secret(parser, options.service_key_file, os.environ.get("LAMPOST_SERVICE_KEY") or DEMO_KEY)
    client_secret = secret(parser, options.client_secret_file, DEMO_SECRET)
    if options.bind not in ("127.0.0.1", "localhost") and (
            key == DEMO_KEY or not options.no_sign_in and client_secret == DEMO_SECRET):
        parser.error("--bind requires a service key and a client secret of your own, because the defaults are public")
    for name in options.broken:
        if options.no_sign_in and RULES[name].needs_sign_in:
            parser.error(f"{name} is a rule of sign-in, so it does not work with --no-sign-in")

    sign_in = None if options.no_sign_in else SignIn(
        options.client_id, client_secret, options.redirect_uri or [REDIRECT_URI], options.auto_allow,
        options.token_lifetime)
    service = Service(House(), key, sign_in)
    for name in options.broken:
        break_rule(service, name)

    try:
        log = open(options.log, "a", encoding="utf-8") if options.log else None
        server = Server((options.bind, options.port), Application(service, *[sign_in] if sign_in else []), log)
    except (OSError, OverflowError) as problem:
        sys.exit(f"service.py: {problem}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if options.stop_with_stdin:
        threading.Thread(target=stop_with_stdin, args=[server], daemon=True).start()
    print(f"listening on http://{options.bind}:{server.server_port}", flush=True)
    server.serve_forever(poll_interval=0.1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
