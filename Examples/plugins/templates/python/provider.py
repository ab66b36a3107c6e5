#!/usr/bin/env python3
"""A provider of connections for ifttt: things that are on or off, stored in a JSON file.

ifttt_plugin.py, in the same folder, implements the protocol. ifttt-plugin(5) describes it.
"""

import json
import os

from ifttt_plugin import Connection, Plugin, PluginError, StatusChange

FILE = os.path.join(os.environ.get("HOME", "."), ".ifttt-@NAME@", "things.json")
plugin = Plugin("@NAME@", "0.1.0")


def load():
    try:
        with open(FILE, encoding="utf-8") as file:
            return [Connection(**thing) for thing in json.load(file)]
    except FileNotFoundError:
        return [Connection("1", "Kettle", "enabled"), Connection("2", "Fan", "disabled")]


def save(things):
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    # Replace the file atomically, so that no other process reads a partial file.
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump([thing.to_json() for thing in things], file, ensure_ascii=False, indent=2)
    os.replace(FILE + ".new", FILE)


def find(things, identifier):
    for thing in things:
        if thing.id == identifier:
            return thing
    raise PluginError(
        "not_found", f"no thing '{identifier}'", hint="See 'ifttt connections list --provider @NAME@'.")


def change(identifier, status):
    things = load()
    thing = find(things, identifier)
    result = StatusChange(status, thing.status)
    thing.status = status
    if result.status != result.previous_status:
        save(things)
    return result


@plugin.list_connections
def list_things(host, status):
    return [thing for thing in load() if status in (None, thing.status)]


@plugin.show_connection
def show(host, identifier):
    return find(load(), identifier)


@plugin.enable_connection
def enable(host, identifier, options):
    return change(identifier, "enabled")


@plugin.disable_connection
def disable(host, identifier, options):
    return change(identifier, "disabled")

# @IF both@
@plugin.command("add")
def add(host, call):
    things = load()
    number = 1 + max((int(thing.id) for thing in things), default=0)
    things.append(Connection(str(number), call.arguments[0], "disabled"))
    save(things)
    return things[-1]


@plugin.command("file")
def file(host, call):
    return FILE + "\n"

# @END@
if __name__ == "__main__":
    plugin.run()
