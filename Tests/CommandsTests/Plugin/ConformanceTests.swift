import Commands
import Foundation
import JSON
import Support
import Testing
import World

/// `plugin test` on a plugin that is good, and on others that are bad in one way each: real processes, real time.
@Suite struct ConformanceTests {
  /// A provider in Python that answers well; `BAD` names its one fault.
  private static let source = #"""
    #!/usr/bin/env python3
    import json, os, subprocess, sys, time
    bad = "BAD"
    def say(**m):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\n"); sys.stdout.flush()
    def lists(id):
        for n in range(3):
            say(method="item", params={"id": id, "item": {"id": f"c{n}", "name": "C", "status": "enabled"}})
            if bad == "dies": os.abort()
            if bad == "twice": n = 0; say(method="item", params={"id": id, "item": {"id": "c0", "name": "C", "status": "enabled"}})
        if bad == "slow": time.sleep(1000)
        if bad == "asks": say(id="q", method="credential/get", params={"name": "service_key"})
        if bad == "grabs": say(id="q", method="credential/put", params={"values": {"mine": "x", "other": "y"}})
        while bad == "floods": say(method="log", params={"message": "x" * 1000})
        if bad == "forks": subprocess.Popen(["sleep", "1000"])
        if bad == "status": say(method="item", params={"id": id, "item": {"id": "x", "name": "X", "status": "on"}})
        say(id=id, result={})
    for line in sys.stdin.buffer:
        try: m = json.loads(line)
        except ValueError:
            if bad == "fragile": raise SystemExit(1)
            continue
        if not isinstance(m, dict): continue
        id, method = m.get("id"), m.get("method")
        if bad == "hangs": time.sleep(1000)
        if bad == "rubbish": print("Hello! I am a plugin.", flush=True)
        if method == "initialize":
            if "1" not in m["params"]["protocol"] and bad != "version":
                say(id=id, error={"code": -32602, "message": "protocol 1 alone"})
                continue
            say(id=id, result={"name": "other" if bad == "name" else "shelf", "version": "1.0.0",
                "protocol": m["params"]["protocol"][0],
                "capabilities": ["connections/list"] + (["complete"] if bad == "boasts" else [])})
        elif method == "connections/list": lists(id)
        elif id is not None and method is not None:
            if bad == "agrees": say(id=id, result={})
            else: say(id=id, error={"code": -32601, "message": "no such method"})
    if bad == "stays": time.sleep(1000)
    if bad == "failing": raise SystemExit(3)
    """#

  private func test(_ bad: String, _ options: String = "--timeout 2s") throws -> (
    checks: [String: (status: String, reason: String?)], outcome: Home.Outcome
  ) {
    let home = Home()
    let source = Self.source.replacingOccurrences(of: "\"BAD\"", with: "\"\(bad)\"")
    try FileManager.default.createDirectory(atPath: home.folder["shelf"], withIntermediateDirectories: true)
    _ = home.folder.write("shelf/ifttt-shelf", source, mode: 0o700)
    _ = home.folder.write(
      "shelf/plugin.json",
      #"{"schema_version":1,"name":"shelf","version":"1.0.0","summary":"s","kind":"provider","protocol":["1"],"capabilities":["connections/list"],"credentials":["mine"]}"#
    )
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    var interruption: TestInterruption?
    home.prepare = { interruption = $0.interruption }
    home.adapt = { world in
      let interruption = interruption ?? TestInterruption()
      world.clock = LiveClock(interruption: interruption)
      world.processes = LiveProcesses(interruption: interruption, environment: world.environment)
    }
    let outcome = home.run("plugin test \(home.folder["shelf"]) --json \(options)")
    let rows = try JSONValue(parsing: Array(outcome.output.utf8)).array ?? []
    var checks: [String: (status: String, reason: String?)] = [:]
    for row in rows { checks[row["name"]?.string ?? ""] = (row["status"]?.string ?? "", row["reason"]?.string) }
    return (checks, outcome)
  }

  @Test func aGoodOnePasses() throws {
    let (checks, outcome) = try test("nothing")
    #expect(checks.count == 13)
    #expect(checks.allSatisfy { $0.value.status == "pass" }, "\(checks)")
    #expect(outcome.exit == .success)
    #expect(outcome.errors == "")
  }

  @Test(arguments: [
    ("hangs", "handshake", "it did not answer 'initialize' within 2000 ms"),
    ("rubbish", "handshake", "what it writes to standard output is no message: not JSON"),
    ("name", "handshake", "it says its name is \"other\", and its manifest 'shelf'"),
    ("boasts", "capabilities", "only one of the two names 'complete'"),
    ("version", "version-mismatch", "offered protocol 999 alone, it chooses \"999\""),
    ("agrees", "unknown-method", "it answers a method that there is not"),
    ("fragile", "rubbish", "it ended with status 1 instead of answering"),
    ("dies", "connections", "it ended with status 134 instead of answering 'connections/list'"),
    ("twice", "connections", "it lists 'c0' twice"),
    ("status", "connections", "connection 'x' has the status \"on\""),
    ("slow", "connections", "it did not answer 'connections/list' within 2000 ms"),
    ("floods", "connections", "it sends too much: more than 100000 messages of one request"),
    ("asks", "connections", "it asks for the credential 'service_key', which its manifest does not name"),
    ("grabs", "connections", "it asks for the credential 'other', which its manifest does not name"),
    ("stays", "end-of-input", "it went on for 2 s after its input had ended"),
    ("failing", "end-of-input", "it ends with status 3"),
    ("forks", "nothing-left", "a process that it started was still there when it ended"),
  ])
  func aBadOneFailsWithTheReason(_ bad: String, _ check: String, _ reason: String) throws {
    let (checks, outcome) = try test(bad, "--check \(check) --timeout \(bad == "floods" ? "1h" : "2s")")
    #expect(checks.count == 1)
    #expect(checks[check]?.status == "fail", "\(checks)")
    #expect(checks[check]?.reason?.hasPrefix(reason) == true, "\(checks[check]?.reason ?? "none")")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("\"code\":\"refused\""))
  }

  @Test func aCheckThatThereIsNotIsAUsageError() throws {
    let home = Home()
    #expect(home.run("plugin test x --check beauty").exit == .usage)
  }

  @Test func whatIsNoPluginIsRefused() {
    let home = Home()
    let test = home.run("plugin test \(home.folder.path)")
    #expect(test.exit == .failure)
    #expect(test.errors.hasPrefix("ifttt: there is no plugin at '\(home.folder.path)'\n"))
  }

  @Test(arguments: ["nowhere", "nowhere/plugin.json"])
  func whatIsNotThereIsNotFound(_ name: String) {
    let home = Home()
    let path = "\(home.folder.path)/\(name)"
    let test = home.run("plugin test \(path)")
    #expect(test.exit == .notFound)
    #expect(test.errors.hasPrefix("ifttt: there is nothing at '\(path)'\n"))
  }
}
