/**
 * Everything that a provider plugin of ifttt needs, in one file: Node 18 or later, no dependencies.
 *
 * Copy this file beside the plugin's executable. A provider registers a function for each request that it supports:
 *
 *     import { Plugin } from "./ifttt_plugin.mjs";
 *
 *     const plugin = new Plugin("shelf", "1.0.0");
 *     plugin.listConnections(async function* (host, status) {
 *       yield { id: "lamp", name: "Lamp", status: "enabled" };
 *     });
 *     plugin.run();
 *
 * The library frames and answers the messages, streams lists, and handles cancellation and errors. What the plugin
 * prints goes to stderr, which the user sees with the plugin's name. ifttt-plugin(5) describes the protocol.
 */

import process from "node:process";

const PROTOCOL = "1";
const MESSAGE_LIMIT = 16 << 20;

/**
 * @typedef {{id: string, name: string, status: "enabled"|"disabled"|"never_enabled"|"unknown", description?: string,
 *   url?: string, [member: string]: unknown}} Connection
 * @typedef {{name: string, state: "valid"|"expired"|"missing"|"unknown", expires_at?: string, account?: string}} CredentialState
 * @typedef {{command: string[], options: Record<string, unknown>, arguments: string[], words: string[], output: string}} Call
 * @typedef {{kind: string, command: string[], profile: string, prefix: string}} Question
 */

/**
 * An error that ifttt shows to the user. `code` is one of ifttt's error codes, such as `not_found` or `unauthorized`; it
 * determines the exit code. Put a command in the hint in single quotes.
 */
export class PluginError extends Error {
  /**
   * @param {string} code
   * @param {string} message what happened
   * @param {{reason?: string, hint?: string, retryAfter?: number, status?: number, number?: number}} [details]
   */
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.number = details.number ?? -32000;
    this.details = details;
  }

  toJSON() {
    const { reason, hint, retryAfter: retry_after, status } = this.details;
    const data = { code: this.code || undefined, reason, hint, retry_after, status };
    const isEmpty = Object.values(data).every((value) => value === undefined || value === null);
    return { code: this.number, message: this.message, ...(isEmpty ? {} : { data }) };
  }

  /** @param {any} value */
  static fromJSON(value) {
    const data = value?.data ?? {};
    return new PluginError(data.code ?? "", String(value?.message ?? "no reason was given"), {
      reason: data.reason, hint: data.hint, retryAfter: data.retry_after, status: data.status,
      number: Number.isInteger(value?.code) ? value.code : -32000,
    });
  }
}

/** The request was canceled. Let it pass: the library responds to the request. */
export class Canceled extends PluginError {
  constructor() {
    super("", "canceled", { number: -32800 });
  }
}

/** ifttt closed its end. Let it pass: the library ends the program. */
export class Disconnected extends Error {}

/** @param {string} status @param {string} previous the result of enabling or disabling a connection */
export function statusChange(status, previous) {
  return { status, previous_status: previous, changed: status !== previous };
}

/** The two pipes. */
class Wire {
  /** @type {Buffer[]} */
  #pieces = [];
  #size = 0;
  #decoder = new TextDecoder("utf-8", { fatal: true });
  #write = process.stdout.write.bind(process.stdout);

  constructor() {
    // stdout is reserved for messages.
    process.stdout.write = /** @type {any} */ (process.stderr.write.bind(process.stderr));
    process.stdout.on("error", () => process.exit(0));
  }

  /** @param {object} message */
  send(message) {
    const line = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n", "utf-8");
    if (line.length > MESSAGE_LIMIT + 1) {
      throw new PluginError("plugin_failed", `a message is longer than ${MESSAGE_LIMIT >> 20} MiB`);
    }
    const isRead = this.#write(line);
    return isRead ? undefined : new Promise((resolve) => process.stdout.once("drain", resolve));
  }

  /** @param {unknown} id @param {number} code @param {string} message */
  fail(id, code, message) {
    return this.send({ id: id ?? null, error: { code, message } });
  }

  /** @param {(message: any) => void} receive */
  async read(receive) {
    for await (const chunk of process.stdin) {
      let rest = /** @type {Buffer} */ (chunk);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        this.#pieces.push(rest.subarray(0, end));
        const line = Buffer.concat(this.#pieces);
        [this.#pieces, this.#size, rest] = [[], 0, rest.subarray(end + 1)];
        this.#parse(line, receive);
      }
      this.#pieces.push(rest);
      this.#size += rest.length;
      if (this.#size > MESSAGE_LIMIT) return;
    }
  }

  /** @param {Buffer} line @param {(message: any) => void} receive */
  #parse(line, receive) {
    let message;
    try {
      const text = this.#decoder.decode(line);
      if (!text.trim()) return;
      message = JSON.parse(text);
    } catch (error) {
      this.fail(null, -32700, `not JSON: ${/** @type {Error} */ (error).message}`);
      return;
    }
    const isMessage = message !== null && typeof message === "object" && !Array.isArray(message);
    if (!isMessage || typeof (message.method ?? "") !== "string") {
      this.fail(null, -32600, "not a message of the protocol");
    } else {
      receive(message);
    }
  }
}

/**
 * ifttt during one request: the facts about this run, and the services that a plugin can use. A service that ifttt
 * rejects throws PluginError, for example if there is no person to prompt.
 */
export class Host {
  #wire;
  #request;
  #waiting;
  #isTidying = false;

  /** @param {Wire} wire @param {any} facts @param {unknown} request @param {AbortSignal} signal @param {Waiting} waiting */
  constructor(wire, facts, request, signal, waiting) {
    this.#wire = wire;
    this.#request = request;
    this.#waiting = waiting;
    /** Aborted when the request is canceled; pass it to `fetch` and timers. */
    this.signal = signal;
    this.profile = String(facts.profile ?? "default");
    this.locale = String(facts.locale ?? "en-US");
    this.interactive = facts.interactive === true;
    this.offline = facts.offline === true;
    this.dryRun = facts.dry_run === true;
    this.verbose = facts.verbose === true;
    this.timeout = Number(facts.timeout_ms ?? 30_000);
    /** @type {string[]} */
    this.capabilities = facts.capabilities ?? [];
  }

  /** Sends one element of a list, or one row of a command. @param {object} item */
  async send(item) {
    // Let a cancellation that has arrived be read.
    await new Promise((resolve) => setImmediate(resolve));
    this.checkCanceled();
    await this.#wire.send({ method: "item", params: { id: this.#request, item } });
  }

  /** @param {number} done @param {number|null} [total] @param {string|null} [message] */
  async progress(done, total = null, message = null) {
    this.checkCanceled();
    await this.#wire.send({ method: "progress", params: { id: this.#request, done, total, message } });
  }

  /** Shows a line to the user. It must not contain secrets. @param {string} message @param {"debug"|"info"|"warning"} [level] */
  async log(message, level = "info") {
    await this.#wire.send({ method: "log", params: { level, message } });
  }

  /** Throws Canceled if the request was canceled. Call it in long loops. */
  checkCanceled() {
    if (this.signal.aborted && !this.#isTidying) throw new Canceled();
  }

  /** Waits, and stops waiting if the request is canceled. @param {number} milliseconds */
  async sleep(milliseconds) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.signal.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), { once: true });
    });
    this.checkCanceled();
  }

  /**
   * Lets services be used for two seconds after a cancellation, to save or delete credentials.
   * @template T @param {() => Promise<T>} body
   */
  async tidying(body) {
    const before = this.#isTidying;
    this.#isTidying = true;
    try {
      return await body();
    } finally {
      this.#isTidying = before;
    }
  }

  // Credentials: encrypted, one set per profile, limited to the names in the manifest.

  /** A stored credential, or null. With `take`, it is also deleted in the same step. @param {string} name */
  async credential(name, { take = false } = {}) {
    return /** @type {string|null} */ ((await this.request("credential/get", take ? { name, take } : { name })).value ?? null);
  }

  /** @param {string} [prefix] */
  async credentialNames(prefix = "") {
    return /** @type {string[]} */ ((await this.request("credential/list", { prefix })).names ?? []);
  }

  /**
   * Saves and deletes credentials in one transaction. Use `recover` for values that cannot be obtained again.
   * @param {Record<string, string>} values @param {{remove?: string[], recover?: boolean}} [options]
   */
  async saveCredentials(values, { remove = [], recover = false } = {}) {
    await this.request("credential/put", { values, delete: remove, recover });
  }

  /** @param {string} name */
  async deleteCredential(name) {
    return (await this.request("credential/delete", { name })).deleted === true;
  }

  /**
   * Lets only one process at a time do something.
   * @template T @param {string} name @param {() => Promise<T>} body @param {{timeout?: number}} [options]
   */
  async withLock(name, body, { timeout = 30_000 } = {}) {
    await this.request("lock/acquire", { name, timeout_ms: timeout });
    try {
      return await body();
    } finally {
      await this.tidying(() => this.request("lock/release", { name }));
    }
  }

  // The person: not in lists, details and completion.

  /** @param {string} message */
  async prompt(message, { secret = false } = {}) {
    return String((await this.request("prompt", { message, secret })).value ?? "");
  }

  /** @param {string} message */
  async confirm(message) {
    return (await this.request("confirm", { message })).yes === true;
  }

  /** Reads the stdin of ifttt, for an option whose value is `-`. @param {number} [limit] */
  async readInput(limit = 65_536) {
    return String((await this.request("input/read", { limit })).text ?? "");
  }

  /** Waits while the user does something elsewhere. The request's timeout is paused. @param {number} milliseconds */
  async wait(milliseconds) {
    await this.request("wait", { timeout_ms: milliseconds });
  }

  /** @param {string} url */
  async openBrowser(url) {
    return (await this.request("browser/open", { url })).opened === true;
  }

  /** Listens for the browser's redirect. The result is the redirect URI with its port. @param {string|null} [uri] */
  async bindRedirect(uri = null, path = "/callback") {
    return String((await this.request("redirect/bind", { redirect_uri: uri, path })).redirect_uri);
  }

  /**
   * Opens a page in the browser, and waits for the redirect with this state.
   * @param {{url: string, redirectUri: string, state: string, issuer?: string|null, timeout?: number,
   *   openBrowser?: boolean}} request
   */
  async openRedirect({ url, redirectUri, state, issuer = null, timeout = 300_000, openBrowser = true }) {
    const result = await this.request("redirect/open", {
      url, redirect_uri: redirectUri, state, iss: issuer, open_browser: openBrowser, timeout_ms: timeout,
    });
    return {
      redirectUri: String(result.redirect_uri ?? redirectUri), via: String(result.via ?? "listener"),
      parameters: new URLSearchParams(String(result.query ?? "")),
    };
  }

  /** Reports the outcome to the page in the browser, which is waiting for it. @param {boolean} success */
  async finishRedirect(success) {
    await this.request("redirect/finish", { outcome: success ? "success" : "failure" });
  }

  /** Sends any request to ifttt and waits for the result. @param {string} method @param {object} params */
  async request(method, params) {
    this.checkCanceled();
    const response = this.#waiting.next(this.#isTidying ? undefined : this.signal);
    await this.#wire.send({ id: response.id, method, params });
    return await response.result;
  }
}

/** The requests of the plugin that wait for their responses. */
class Waiting {
  #last = 0;
  #hasEnded = false;
  /** @type {Map<unknown, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #open = new Map();

  /** @param {AbortSignal|undefined} signal */
  next(signal) {
    const id = ++this.#last;
    /** @type {Promise<any>} */
    const result = new Promise((resolve, reject) => {
      if (this.#hasEnded) throw new Disconnected("ifttt closed its end");
      this.#open.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => (this.#open.delete(id), reject(new Canceled())), { once: true });
    });
    // The result is awaited after the request is written; an earlier rejection is not unhandled.
    result.catch(() => {});
    return { id, result };
  }

  /** @param {any} message */
  settle(message) {
    const open = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (message.error) open?.reject(PluginError.fromJSON(message.error));
    else open?.resolve(message.result ?? {});
  }

  end() {
    this.#hasEnded = true;
    for (const open of this.#open.values()) open.reject(new Disconnected("ifttt closed its end"));
    this.#open.clear();
  }
}

/** A provider. Its capabilities are the requests that functions are registered for. */
export class Plugin {
  /** @type {Map<string, (host: Host, params: any) => Promise<object>>} */
  #handlers = new Map();
  /** @type {Map<string, (host: Host, call: Call) => any>} */
  #commands = new Map();
  #waiting = new Waiting();
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();
  /** @type {any} */
  #facts;

  /** @param {string} name @param {string} version */
  constructor(name, version) {
    this.name = name;
    this.version = version;
  }

  /** @param {(host: Host, status: string|null) => any} handler returns or yields connections */
  listConnections(handler) {
    this.#handlers.set("connections/list", (host, params) => stream(host, handler(host, params.status ?? null)));
  }

  /** @param {(host: Host, id: string) => any} handler returns a connection, or throws `not_found` */
  showConnection(handler) {
    this.#handlers.set("connections/show", async (host, params) => ({ connection: await handler(host, idOf(params)) }));
  }

  /** @param {(host: Host, id: string, options: any) => any} handler returns a status change */
  enableConnection(handler) {
    this.#handlers.set("connections/enable", async (host, params) => handler(host, idOf(params), params.options ?? {}));
  }

  /** @param {(host: Host, id: string, options: any) => any} handler returns a status change */
  disableConnection(handler) {
    this.#handlers.set("connections/disable", async (host, params) => handler(host, idOf(params), params.options ?? {}));
  }

  /** @param {(host: Host, id: string, values: any) => any} handler returns the activated connection */
  activateConnection(handler) {
    this.#handlers.set("connections/activate", async (host, params) => ({
      connection: await handler(host, idOf(params), params.values ?? {}),
    }));
  }

  /** @param {(host: Host, id: string, values: any) => any} handler returns the configured connection */
  configureConnection(handler) {
    this.#handlers.set("connections/configure", async (host, params) => ({
      connection: await handler(host, idOf(params), params.values ?? {}),
    }));
  }

  /** @param {(host: Host) => any} handler returns the states of the credentials */
  credentialStatus(handler) {
    this.#handlers.set("credential/status", async (host) => ({ credentials: await handler(host) }));
  }

  /** @param {(host: Host, name: string|null) => any} handler returns whether anything changed */
  refreshCredential(handler) {
    this.#handlers.set("credential/refresh", async (host, params) => ({
      changed: (await handler(host, params.name ?? null)) === true,
    }));
  }

  /** @param {(host: Host, name: string|null) => any} handler returns whether anything changed */
  revokeCredential(handler) {
    this.#handlers.set("credential/revoke", async (host, params) => ({
      changed: (await handler(host, params.name ?? null)) === true,
    }));
  }

  /**
   * @param {string} path the names after the plugin's name, separated by spaces
   * @param {(host: Host, call: Call) => any} handler returns text to print, or rows: one object, or an iterable of them
   */
  command(path, handler) {
    this.#commands.set(path, handler);
    this.#handlers.set("command/run", (host, params) => this.#runCommand(host, params));
  }

  /** @param {(host: Host, question: Question) => any} handler returns values, or objects with a value and a description */
  complete(handler) {
    this.#handlers.set("complete", async (host, params) => {
      const candidates = [];
      for await (const found of await handler(host, params)) {
        candidates.push(typeof found === "string" ? { value: found } : found);
      }
      return { candidates };
    });
  }

  /** @param {Host} host @param {any} params */
  async #runCommand(host, params) {
    const call = { options: {}, arguments: [], words: [], output: "", ...params, command: params.command ?? [] };
    const handler = this.#commands.get(call.command.join(" "));
    if (!handler) throw new PluginError("usage", "no such command");
    const result = await handler(host, call);
    return typeof result === "string" ? { text: result } : stream(host, result);
  }

  /** Serves requests until ifttt closes its end. */
  async run() {
    const wire = new Wire();
    let previous = Promise.resolve();
    await wire.read((message) => {
      if (message.method === undefined) return this.#waiting.settle(message);
      if (message.method === "$/cancel") return this.#running.get(message.params?.id)?.abort();
      if (message.id === undefined || message.id === null) return undefined;
      const cancellation = new AbortController();
      this.#running.set(message.id, cancellation);
      // Each request ends before the next begins.
      previous = previous.then(() => this.#serve(wire, message, cancellation.signal));
      return undefined;
    });
    this.#waiting.end();
    // Requests that arrived before the end still get a response, but no handler keeps the process alive.
    setTimeout(() => process.exit(0), 1000).unref();
    await previous;
    process.exit(0);
  }

  /** @param {Wire} wire @param {any} message @param {AbortSignal} signal */
  async #serve(wire, message, signal) {
    const { id, method } = message;
    try {
      const result = await this.#answer(wire, message, signal);
      await wire.send({ id, result: result ?? {} });
    } catch (error) {
      const isExpected = error instanceof PluginError;
      if (isExpected) await wire.send({ id, error });
      else if (signal.aborted) await wire.send({ id, error: new Canceled() });
      else {
        // A fault in one handler must not end the program.
        console.error(`${method}:`, error);
        await wire.fail(id, -32603, String(error));
      }
    } finally {
      this.#running.delete(id);
    }
  }

  /** @param {Wire} wire @param {any} message @param {AbortSignal} signal */
  async #answer(wire, { id, method, params = {} }, signal) {
    if (method === "initialize") return this.#initialize(params);
    const handler = this.#handlers.get(method);
    if (!handler) throw new PluginError("", `no method '${method}'`, { number: -32601 });
    if (!this.#facts) throw new PluginError("", "'initialize' must be the first request", { number: -32600 });
    const host = new Host(wire, this.#facts, id, signal, this.#waiting);
    host.checkCanceled();
    return handler(host, params ?? {});
  }

  /** @param {any} facts */
  #initialize(facts) {
    if (this.#facts) throw new PluginError("", "'initialize' was already sent", { number: -32600 });
    if (!facts.protocol?.includes?.(PROTOCOL)) {
      throw new PluginError("", `this plugin supports only protocol ${PROTOCOL}`, {
        number: -32602, hint: "Update the plugin or ifttt.",
      });
    }
    this.#facts = facts;
    return {
      name: this.name, version: this.version, protocol: PROTOCOL, capabilities: [...this.#handlers.keys()].sort(),
    };
  }
}

/** @param {any} params */
function idOf(params) {
  if (typeof params.id !== "string") throw new PluginError("", "'id' is missing", { number: -32602 });
  return params.id;
}

/** @param {Host} host @param {any} items nothing, one object, or an iterable of objects */
async function stream(host, items) {
  const found = await items;
  if (found === undefined || found === null) return {};
  const isMany = Symbol.asyncIterator in found || Symbol.iterator in found;
  for await (const item of isMany ? found : [found]) await host.send(item);
  return {};
}
