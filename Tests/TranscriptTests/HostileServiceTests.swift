import Foundation
import Support
import Testing

/// Partners' servers that send garbage, respond slowly, never stop or redirect: the checks fail and show what was seen.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
struct HostileServiceTests {
  private static let script = Bundle.module.resourceURL?.appendingPathComponent("Servers/hostile_service.py").path ?? ""

  private static let faults: [String] = {
    let outcome = try? Tool("python3")?.run(Python.arguments + [script, "--list"], in: ScratchFolder())
    return (outcome?.output ?? "").split(separator: "\n").map(String.init)
  }()

  @Test func findsTheFaults() { #expect(Self.faults.count >= 20) }

  @Test func aServerThatEndsIsOneProblem() throws {
    let server = try Running(Python.command(Self.script, ["end"]), environment: ["PATH": "/usr/bin:/bin"])
    defer { server.wait() }
    let url = "http://127.0.0.1:\(server.read(until: "\n").dropLast())"
    let home = Home(nil, ["IFTTT_SERVICE_KEY": "k"])
    let report = home.folder["report.xml"]
    let outcome = try home.run(
      "service", "test", url, "--jobs", "1", "-o", "jsonl", "--fields", "endpoint,result", "--report", "junit=\(report)"
    )
    #expect(outcome.status == 5 && outcome.code == "network", "\(outcome.errors)")
    #expect(!outcome.text.contains(#""failed""#) && outcome.text.contains("test/setup"), "\(outcome.text)")
    #expect(outcome.errors.contains("the server ended after") && outcome.errors.contains("its response to status"))
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("did not finish"))
  }

  @Test(arguments: faults) func checksFailAndNothingCrashes(_ fault: String) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let server = try Running(
      Python.command(Self.script, [fault]), environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    defer {
      server.endInput()
      server.wait()
    }
    let url = "http://127.0.0.1:\(server.read(until: "\n").dropLast())"
    let home = Home(nil, ["IFTTT_SERVICE_KEY": "a-key-that-must-not-be-shown"])
    let words = ["service", "test", url, "--webhooks", "--timeout", "2s"]
    for more in [["--json"], ["-v", "--color", "never"]] {
      let outcome = try home.run(words + more)
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.text.contains(more == ["--json"] ? #""result":"failed""# : "\n  failed   "))
      let shown = outcome.text + outcome.errors
      #expect(!shown.contains("that-must-not-be-shown"))
      #expect(!shown.contains("\u{1b}") && !shown.contains("\u{7}"))
    }
    let call = try home.run("service", "call", url, "triggers/on", "--timeout", "2s", "--json")
    #expect([0, 1, 3, 5].contains(call.status), "\(call.errors)")
  }
}
