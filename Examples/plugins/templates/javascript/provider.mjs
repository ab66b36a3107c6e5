#!/usr/bin/env node
/**
 * A provider of connections for ifttt: things that are on or off, stored in a JSON file.
 *
 * ifttt_plugin.mjs, in the same folder, implements the protocol. ifttt-plugin(5) describes it.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { Plugin, PluginError, statusChange } from "./ifttt_plugin.mjs";

const FILE = join(process.env.HOME ?? ".", ".ifttt-@NAME@", "things.json");
const plugin = new Plugin("@NAME@", "0.1.0");

function load() {
  try {
    return JSON.parse(readFileSync(FILE, "utf-8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return [{ id: "1", name: "Kettle", status: "enabled" }, { id: "2", name: "Fan", status: "disabled" }];
  }
}

function save(things) {
  mkdirSync(dirname(FILE), { recursive: true });
  // Replace the file atomically, so that no other process reads a partial file.
  writeFileSync(`${FILE}.new`, JSON.stringify(things, null, 2));
  renameSync(`${FILE}.new`, FILE);
}

function find(things, id) {
  const thing = things.find((each) => each.id === id);
  if (thing) return thing;
  throw new PluginError("not_found", `no thing '${id}'`, { hint: "See 'ifttt connections list --provider @NAME@'." });
}

function change(id, status) {
  const things = load();
  const thing = find(things, id);
  const result = statusChange(status, thing.status);
  thing.status = status;
  if (result.changed) save(things);
  return result;
}

plugin.listConnections((host, status) => load().filter((thing) => status === null || thing.status === status));
plugin.showConnection((host, id) => find(load(), id));
plugin.enableConnection((host, id) => change(id, "enabled"));
plugin.disableConnection((host, id) => change(id, "disabled"));
// @IF both@
plugin.command("add", (host, call) => {
  const things = load();
  const number = 1 + Math.max(0, ...things.map((thing) => Number(thing.id)));
  things.push({ id: String(number), name: call.arguments[0], status: "disabled" });
  save(things);
  return things.at(-1);
});
plugin.command("file", () => `${FILE}\n`);
// @END@
plugin.run();
