"""A host for the tests: runs a plugin as its own process and serves its requests through protocol 1, as ifttt does.

    host.py PLUGIN STORE METHOD PARAMS [--browser COMMAND...]

STORE is a JSON file, guarded by flock, which several hosts may share. The host prints one JSON line:
{"items", "result", "error", "log"}.
With DIE_AT=N, host and plugin end with status 9 at the plugin's Nth request, before or after (DIE_WHEN) executing it.
With CANCEL_AT=N and CANCEL_WHEN, the host's request is canceled there instead, as by Ctrl-C. From then on the host
serves only those requests that ifttt still serves.
For a redirect, the browser command gets the URL and prints the query of the redirect.
"""
import fcntl, json, os, subprocess, sys

plugin, store, method, params = sys.argv[1:5]
browser = sys.argv[6:]
locks = {}
die_at, die_when, served = int(os.environ.get("DIE_AT", 0)), os.environ.get("DIE_WHEN"), 0
cancel_at, cancel_when, cancelled = int(os.environ.get("CANCEL_AT", 0)), os.environ.get("CANCEL_WHEN"), False
TIDYING = {"credential/put", "credential/delete", "lock/release", "redirect/finish"}


def changed(body):
    """Reads the store, lets `body` change it, and writes it, under one lock."""
    with open(store + ".lock", "a") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        rows = json.load(open(store)) if os.path.exists(store) else {}
        before = dict(rows)
        answer = body(rows)
        if rows != before:
            with open(f"{store}.{os.getpid()}", "w") as new:
                json.dump(rows, new)
            os.replace(new.name, store)
        return answer


def die(moment):
    if served == die_at and die_when == moment:
        process.kill()
        process.wait()
        os._exit(9)


def cancel(moment, number):
    global cancelled
    if served == cancel_at and cancel_when == moment:
        cancelled = True
        send({"method": "$/cancel", "params": {"id": number}})


def serve(name, p):
    if cancelled and name not in TIDYING:
        raise PermissionError("no request to this plugin is in flight")
    if name == "credential/get":
        return {"value": changed(lambda rows: rows.pop(p["name"], None) if p.get("take") else rows.get(p["name"]))}
    if name == "credential/list":
        return {"names": changed(lambda rows: sorted(n for n in rows if n.startswith(p.get("prefix", ""))))}
    if name == "credential/put":
        def put(rows):
            for gone in p.get("delete", []):
                rows.pop(gone, None)
            rows.update(p["values"])
        changed(put)
        return {}
    if name == "lock/acquire":
        held = open(f"{store}.{p['name'].replace('/', '-')}", "a")
        fcntl.flock(held, fcntl.LOCK_EX)
        locks[p["name"]] = held
        return {}
    if name == "lock/release":
        locks.pop(p["name"]).close()
        return {}
    if name == "redirect/bind":
        return {"redirect_uri": (p["redirect_uri"] or "http://127.0.0.1:0" + p["path"]).replace(":0/", ":51234/")}
    if name == "redirect/open":
        query = subprocess.run(browser + [p["url"]], check=True, capture_output=True, text=True).stdout.strip()
        return {"redirect_uri": p["redirect_uri"], "query": query, "via": "listener"}
    if name == "redirect/finish":
        return {}
    if name == "input/read":
        return {"text": sys.stdin.read()}
    raise KeyError(name)


process = subprocess.Popen([plugin], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def send(message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def ask(number, name, p):
    global served
    send({"id": number, "method": name, "params": p})
    for line in process.stdout:
        message = json.loads(line)
        if message.get("method") == "item":
            seen["items"].append(message["params"]["item"])
        elif message.get("method") == "log":
            seen["log"].append(message["params"]["message"])
        elif "method" in message and "id" in message:
            served += 1
            die("before")
            cancel("before", number)
            try:
                answer = serve(message["method"], message["params"])
                die("after")
                send({"id": message["id"], "result": answer})
                cancel("after", number)
            except Exception as e:
                send({"id": message["id"], "error": {"code": -32000, "message": repr(e), "data": {"code": "refused"}}})
        elif message.get("id") == number:
            return message
    sys.exit("the plugin ended")


seen = {"items": [], "log": [], "pid": process.pid}
hello = ask(1, "initialize", {
    "protocol": ["1"], "host": {"name": "ifttt", "version": "test"}, "profile": "default", "locale": "en-US",
    "interactive": False, "offline": False, "dry_run": False, "verbose": True, "timeout_ms": 30000,
    "capabilities": ["credential", "redirect", "lock", "prompt", "confirm", "progress", "log", "input"]})
seen["hello"] = hello["result"]
answer = ask(2, method, json.loads(params))
process.stdin.close()
process.wait()
print(json.dumps({**seen, "cancelled": cancelled, "result": answer.get("result"), "error": answer.get("error")}))
