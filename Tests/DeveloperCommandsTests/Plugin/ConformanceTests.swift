import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `plugin test` on a good plugin, and on plugins with one fault each: real processes, slowed time.
@Suite struct ConformanceTests {
  /// A correct provider in Python; `BAD` selects its one fault.
  private static let source = #"""
    #!/usr/bin/env python3
    import json, os, select, subprocess, sys, time
    bad = "BAD"
    CAPABILITIES = ["connections/list", "connections/show", "connections/enable", "connections/disable"]
    if bad == "one-way": CAPABILITIES.remove("connections/enable")
    def say(**m):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\n"); sys.stdout.flush()
    def lists(id):
        for n in range(3):
            say(method="item", params={"id": id, "item": {"id": f"c{n}", "name": "C", "status": "enabled"}})
            if bad == "dies": os.abort()
            if bad == "waits": say(id="q", method="credential/get", params={"name": "mine"}); sys.stdin.buffer.readline()
            if bad == "twice": n = 0; say(method="item", params={"id": id, "item": {"id": "c0", "name": "C", "status": "enabled"}})
        if bad == "slow": time.sleep(1000)
        if bad == "hasty":
            say(id="q", method="credential/get", params={"name": "mine"})
            if not select.select([sys.stdin.buffer], [], [], 0.2)[0]:
                say(id=id, error={"code": -32000, "message": "no answer", "data": {"code": "timeout"}})
                return
            sys.stdin.buffer.readline()
        if bad == "browses": say(id="q", method="browser/open", params={"url": "https://a.test/"})
        if bad == "latin": say(method="item", params={"id": id, "item": {"id": "x", "name": "\ufffd", "status": "enabled"}})
        if bad in ("leaks", "deaf"):
            say(id="q", method="credential/get", params={"name": "mine"})
            answer = {}
            while "result" not in answer:
                try: answer = json.loads(sys.stdin.buffer.readline() or b"{}")
                except ValueError: pass
            if bad == "leaks": print("the token is", answer["result"]["value"], file=sys.stderr, flush=True)
        if bad == "asks": say(id="q", method="credential/get", params={"name": "service_key"})
        if bad == "grabs": say(id="q", method="credential/put", params={"values": {"mine": "x", "other": "y"}})
        while bad == "floods": say(method="log", params={"message": "x"})
        if bad == "forks": subprocess.Popen(["sleep", "1000"])
        if bad == "status": say(method="item", params={"id": id, "item": {"id": "x", "name": "X", "status": "on"}})
        say(id=id, result={})
    def change(id, method, params):
        where = os.path.join(os.environ["IFTTT_PLUGIN_DIR"], "calls")
        with open(where, "a") as file: print(method.partition("/")[2], params["id"], file=file)
        asked = "enabled" if method == "connections/enable" else "disabled"
        before = "disabled" if asked == "enabled" else "enabled"
        if bad == "raises-" + asked: raise KeyError(params["id"])
        if bad == "stuck" and "disable" in open(where).read() and asked == "enabled":
            return say(id=id, error={"code": -32000, "message": "it is stuck", "data": {"code": "refused"}})
        if bad == "signed-out": return say(id=id, error={"code": -32000, "message": "sign in", "data": {"code": "unauthorized"}})
        say(id=id, result={"status": before if bad == "lies" else asked, "previous_status": before, "changed": True})
    for line in sys.stdin.buffer:
        try: m = json.loads(line)
        except ValueError:
            if bad == "fragile": raise SystemExit(1)
            continue
        if not isinstance(m, dict): continue
        id, method = m.get("id"), m.get("method")
        if bad == "ascii" and isinstance(id, str): id = id.encode("ascii", "replace").decode()
        if bad == "hangs": time.sleep(1000)
        if bad == "rubbish": print("Hello! I am a plugin.", flush=True)
        if method == "initialize":
            if "1" not in m["params"]["protocol"] and bad != "version":
                say(id=id, error={"code": -32602, "message": "protocol 1 alone"})
                continue
            say(id=id, result={"name": "other" if bad == "name" else "shelf",
                "version": "1.0.1" if bad == "release" else "1.0.0",
                "protocol": m["params"]["protocol"][0],
                "capabilities": CAPABILITIES + (["complete"] if bad == "boasts" else [])})
        elif bad == "hangs-" + str(method): time.sleep(1000)
        elif method == "connections/list": lists(id)
        elif method == "connections/show" and bad != "agrees":
            if bad == "raises-show": raise KeyError(m["params"]["id"])
            if bad == "shows-another": m["params"]["id"] = "c9"
            say(id=id, result={"connection": {"id": m["params"]["id"], "name": "C", "status": "enabled"}})
        elif method in CAPABILITIES: change(id, method, m["params"])
        elif id is not None and method is not None:
            if bad == "agrees": say(id=id, result={})
            else: say(id=id, error={"code": -32601, "message": "no such method"})
    if bad == "talks": print("goodbye", "\x1b[31m", file=sys.stderr, flush=True)
    if bad == "stays": time.sleep(1000)
    if bad == "failing": raise SystemExit(3)
    """#

  private func test(
    _ bad: String, _ options: String = "--timeout 2s", answers: String? = nil, in home: Home = LivePlugins.home()
  ) throws -> (checks: LivePlugins.Checks, outcome: Home.Outcome) {
    let source = Self.source.replacingOccurrences(of: "\"BAD\"", with: "\"\(bad)\"")
    try FileManager.default.createDirectory(atPath: home.folder["shelf"], withIntermediateDirectories: true)
    _ = home.folder.write("shelf/ifttt-shelf", source, mode: 0o700)
    _ = home.folder.write(
      "shelf/plugin.json",
      #"{"schema_version":1,"name":"shelf","version":"1.0.0","summary":"s","kind":"provider","protocol":["1"],"capabilities":\#(Self.capabilities(of: bad)),"credentials":["mine"]}"#
    )
    let file = answers.map { " --answers \(home.folder.write("answers.json", $0))" } ?? ""
    return try LivePlugins.test(home.folder["shelf"], options + file, in: home)
  }

  private static func capabilities(of bad: String) -> String {
    let all = ["list", "show", "enable", "disable"].filter { bad != "one-way" || $0 != "enable" }
    return "[\(all.map { "\"connections/\($0)\"" }.joined(separator: ","))]"
  }

  @Test func aCorrectPluginPasses() throws {
    let (checks, outcome) = try test("nothing", "--timeout 60s")
    #expect(Set(checks.keys) == LivePlugins.checks(of: .provider))
    #expect(checks.allSatisfy { $0.value.status != "fail" }, "\(checks)")
    #expect(
      Set(checks.filter { $0.value.status == "skip" }.keys) == [
        "activate", "configure", "credential-status", "complete", "commands", "secrets", "cancel-in-request",
        "end-in-request",
      ])
    #expect(outcome.exit == .success)
    #expect(outcome.errors == "")
  }

  /// A change is undone, also if the plugin fails while it makes the change.
  @Test(arguments: [
    ("nothing", "disable", "pass", ["disable c0", "enable c0"]),
    // Without a disabled connection, enabling one changes nothing.
    ("nothing", "enable", "pass", ["enable c0"]),
    ("one-way", "disable", "skip", []), ("one-way", "enable", "skip", []),
    ("raises-disabled", "disable", "fail", ["disable c0", "enable c0"]),
    ("lies", "disable", "fail", ["disable c0", "enable c0"]),
    ("signed-out", "disable", "skip", ["disable c0", "enable c0"]),
  ])
  func changesAreUndone(_ bad: String, _ check: String, _ status: String, _ calls: [String]) throws {
    let home = LivePlugins.home()
    let (checks, _) = try test(bad, "--check \(check) --timeout 20s", in: home)
    #expect(checks[check]?.status == status, "\(checks)")
    #expect((home.folder.text("shelf/calls") ?? "").split(separator: "\n").map(String.init) == calls)
  }

  /// A plugin that hangs in one method is waited for only once.
  @Test(arguments: [
    ("hangs", "handshake", "'initialize' did not respond in the check 'handshake'", 21),
    ("slow", "connections", "'connections/list' did not respond in the check 'connections'", 8),
    ("hangs-x-unknown/method", "unknown-method", "'x-unknown/method' did not respond in the check 'unknown-method'", 8),
    ("hangs-connections/show", "show", "", 0),
  ])
  func aMethodThatHangsIsSkippedLater(_ bad: String, _ check: String, _ reason: String, _ skipped: Int) throws {
    let (checks, outcome) = try test(bad)
    #expect(Set(checks.keys) == LivePlugins.checks(of: .provider))
    #expect(checks[check]?.status == "fail" && outcome.exit == .failure, "\(checks)")
    #expect(checks.count { $0.value.status == "skip" && $0.value.reason == reason } == skipped, "\(checks)")
  }

  @Test(arguments: [
    ("hangs", "handshake", "it did not respond to 'initialize' within 2000 ms"),
    ("rubbish", "handshake", "it wrote 'Hello! I am a plugin.' to stdout, which belongs to the protocol: not JSON"),
    ("release", "handshake", "it reports version '1.0.1', but its manifest has '1.0.0'"),
    ("raises-show", "show", "it exited with status 1 instead of responding to 'connections/show'"),
    ("shows-another", "show", "the request was for 'c0', but the response is for 'c9'"),
    ("raises-disabled", "disable", "it exited with status 1 instead of responding to 'connections/disable'"),
    ("raises-enabled", "disable", "connection 'c0' is now disabled, because it exited with status 1 instead of"),
    ("raises-enabled", "enable", "it exited with status 1 instead of responding to 'connections/enable'"),
    ("stuck", "disable", "connection 'c0' is now disabled, because it responds to 'connections/enable' with an error"),
    ("lies", "disable", "it responds to 'connections/disable' with the status 'enabled'"),
    ("name", "handshake", "it reports the name \"other\", but its manifest has 'shelf'"),
    ("boasts", "capabilities", "only in the manifest or only in its response: 'complete'"),
    ("version", "version-mismatch", "when only protocol 999 is offered, it selects \"999\""),
    ("agrees", "unknown-method", "it accepts an unknown method"),
    ("fragile", "rubbish", "it exited with status 1 instead of responding"),
    ("dies", "connections", "it exited with status 134 instead of responding to 'connections/list'"),
    ("twice", "connections", "it lists 'c0' twice"),
    ("status", "connections", "connection 'x' has the invalid status \"on\""),
    ("slow", "connections", "it did not respond to 'connections/list' within 2000 ms"),
    ("floods", "connections", "it sent too much: more than 100000 messages for one request"),
    ("rubbish", "capabilities", "it wrote 'Hello! I am a plugin.' to stdout"),
    ("browses", "connections", "it uses the browser, which its manifest does not declare with \"browser\": true"),
    ("latin", "connections", "the name of connection 'x' has U+FFFD, which replaces text in another encoding"),
    ("ascii", "unicode", "it did not respond to 'x-unknown/method' within 2000 ms"),
    ("deaf", "cancel-in-request", "it did not respond to 'connections/list' within 2000 ms"),
    ("deaf", "end-in-request", "it was still running 2 s after its stdin was closed"),
    ("asks", "connections", "it requests the credential 'service_key', which its manifest does not list"),
    ("grabs", "connections", "it requests the credential 'other', which its manifest does not list"),
    ("hasty", "slow-response", "it does not wait 500 ms: no answer"),
    ("stays", "end-of-input", "it was still running 2 s after its stdin was closed"),
    ("failing", "end-of-input", "it exits with status 3"),
    ("forks", "nothing-left", "a process that it started was still running after it exited"),
  ])
  func aFaultyPluginFailsWithTheReason(_ bad: String, _ check: String, _ reason: String) throws {
    let (checks, outcome) = try test(bad, "--check \(check) --timeout \(bad == "floods" ? "1h" : "2s")")
    #expect(checks.count == 1)
    #expect(checks[check]?.status == "fail", "\(checks)")
    #expect(checks[check]?.reason?.hasPrefix(reason) == true, "\(checks[check]?.reason ?? "none")")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("\"code\":\"refused\""))
  }

  @Test func waitingForASlowResponsePasses() throws {
    let (checks, _) = try test("waits", "--check slow-response,connections --timeout 2s")
    #expect(checks.allSatisfy { $0.value.status == "pass" }, "\(checks)")
    #expect(Set(checks.keys) == ["slow-response", "connections"])
  }

  /// A secret that the plugin shows fails it, and is repeated nowhere.
  @Test func aLeakedSecretFails() throws {
    let (checks, outcome) = try test(
      "leaks", "--check secrets --timeout 5s", answers: #"{"credentials":{"mine":"tok-0123456789"}}"#)
    #expect(checks["secrets"]?.status == "fail")
    #expect(
      checks["secrets"]?.reason
        == "what it shows during 'connections/list' contains a secret that it received or saved")
    #expect(!(outcome.output + outcome.errors).contains("tok-0123456789"))
    #expect(outcome.errors.contains("shelf: (a line with a secret)"))
  }

  @Test func resultsAreWrittenAsJUnit() throws {
    let home = LivePlugins.home()
    home.run("plugin new tides")
    let path = home.folder["report.xml"]
    home.run("plugin test \(home.folder["ifttt-tides"]) --report junit=\(path) --check start,cancel")
    let report = try #require(home.folder.text("report.xml"))
    #expect(report.contains(#"name="ifttt plugin test" tests="2" failures="0" errors="0" skipped="1""#), "\(report)")
    #expect(report.contains(#"<skipped message="only for provider plugins"/>"#))
    home.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\nexit 127\n", mode: 0o700)
    home.run("plugin test \(home.folder["ifttt-tides"]) --report junit=\(path)")
    let failed = try #require(home.folder.text("report.xml"))
    #expect(failed.contains(#"failures="1""#) && failed.contains("it exits with status 127"), "\(failed)")
  }

  @Test func resultsAreInTheJobSummary() throws {
    let home = LivePlugins.home()
    home.run("plugin new tides")
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    home.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\nexit 127\n", mode: 0o700)
    let outcome = home.run(
      "plugin test \(home.folder["ifttt-tides"]) --report dotenv=\(home.folder["counts.env"])")
    #expect(outcome.exit == .failure)
    let summary = try #require(home.folder.text("summary.md"))
    #expect(summary.hasPrefix("### ifttt plugin test\n\n") && summary.contains(", 1 failed"), "\(summary)")
    #expect(
      summary.contains("| <code>start</code> | failed&#58; refused | <code>it exits with status 127&#58; "),
      "\(summary)")
    #expect(home.folder.text("output.txt")?.hasSuffix("failed=1\nskipped=0\nerrors=refused\n") == true)
    #expect(home.folder.text("counts.env")?.contains("IFTTT_FAILED=1\n") == true)
    #expect(outcome.errors.contains("::error title=ifttt%3A "), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("[]", "the file is not a JSON object"), ("{", "not JSON"), (#"{"prompt":[]}"#, "the unknown member 'prompt'"),
    (#"{"prompts":"x"}"#, "'prompts' is not an array of strings"), (#"{"confirms":["yes"]}"#, "'confirms' is not an"),
    (#"{"credentials":{"a":1}}"#, "'credentials' is not an object of strings"),
    (#"{"commands":[{"name":"x"}]}"#, "the unknown member 'name' in 'commands'"),
    (#"{"configure":{"values":{}}}"#, "'configure' has no 'id'"),
    (#"{"activate":{"ids":"x"}}"#, "the unknown member 'ids' in 'activate'"),
  ])
  func invalidAnswersAreRejected(_ answers: String, _ reason: String) throws {
    let home = Home()
    home.run("plugin new tides")
    let file = home.folder.write("answers.json", answers)
    let outcome = home.run("plugin test \(home.folder["ifttt-tides"]) --answers \(file)")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test func stderrOfThePluginIsShown() throws {
    let (checks, outcome) = try test("talks", "--check end-of-input")
    #expect(checks["end-of-input"]?.status == "pass")
    #expect(outcome.errors == "shelf: goodbye \n")
  }

  @Test(arguments: [
    ("kill -SEGV $$", "it was killed by signal 11"),
    ("exit 127", "it exits with status 127: a program that it needs cannot be run"),
    ("sleep 1000", "it was still running 500 ms after its stdin was closed"),
  ])
  func aFailingCommandPluginIsReported(_ script: String, _ reason: String) throws {
    let home = LivePlugins.home()
    home.run("plugin new tides")
    home.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\n\(script)\n", mode: 0o700)
    let outcome = home.run("plugin test \(home.folder["ifttt-tides"]) --json --timeout 500ms")
    #expect(outcome.exit == .failure)
    #expect(outcome.output.contains(reason), "\(outcome.output)")
    // A failure of the command itself, such as missing arguments, does not fail the tests.
    home.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\nexit 2\n", mode: 0o700)
    #expect(home.run("plugin test \(home.folder["ifttt-tides"])").exit == .success)
    let skipped = home.run("plugin test \(home.folder["ifttt-tides"]) --check cancel --json")
    #expect(skipped.output.contains("only for provider plugins"))
  }

  @Test(arguments: [
    ("connect", "\"1\"", "'connect' is the provider of IFTTT's own connections"),
    ("shelf", "\"99\"", "it supports protocol '99', but this program supports '1'"),
  ])
  func aRejectedNameOrManifestFails(name: String, version: String, reason: String) throws {
    let home = LivePlugins.home()
    try FileManager.default.createDirectory(atPath: home.folder["x"], withIntermediateDirectories: true)
    home.folder.write("x/ifttt-\(name)", "#!/bin/sh\n", mode: 0o700)
    home.folder.write(
      "x/plugin.json",
      #"{"schema_version":1,"name":"\#(name)","version":"1","summary":"s","kind":"provider","protocol":[\#(version)]}"#)
    let outcome = home.run("plugin test \(home.folder["x"]) --check manifest --json")
    #expect(outcome.exit == .failure)
    #expect(outcome.output.contains(reason), "\(outcome.output)")
  }

  @Test func anUnknownCheckIsAUsageError() throws {
    let home = Home()
    #expect(home.run("plugin test x --check beauty").exit == .usage)
  }

  @Test func aFolderWithoutAPluginIsRejected() {
    let home = Home()
    let test = home.run("plugin test \(home.folder.path)")
    #expect(test.exit == .failure)
    #expect(test.errors.hasPrefix("ifttt: there is no plugin at '\(home.folder.path)'\n"))
  }

  @Test(arguments: ["nowhere", "nowhere/plugin.json"])
  func aMissingPathIsNotFound(_ name: String) {
    let home = Home()
    let path = "\(home.folder.path)/\(name)"
    let test = home.run("plugin test \(path)")
    #expect(test.exit == .notFound)
    #expect(test.errors.hasPrefix("ifttt: no file or folder at '\(path)'\n"))
  }
}
