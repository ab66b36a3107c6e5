import Foundation
import HTTP
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

@testable import DeveloperCommands

/// `sandbox start --detach`: the arguments of the server in the background, and what is reported about it.
@Suite struct SandboxDetachTests {
  let sandbox = ServedSandbox()

  /// A server in the background that has a status after a number of checks.
  private final class Background: BackgroundProgram {
    let id: Int32 = 77
    private var checks = 0
    private let ending: (after: Int, status: Int32)?
    private let ready: () -> Void
    private(set) var hasBeenEnded = false

    init(ending: (after: Int, status: Int32)? = nil, ready: @escaping () -> Void = {}) {
      (self.ending, self.ready) = (ending, ready)
    }

    var status: Int32? {
      checks += 1
      if let ending, checks > ending.after { return ending.status }
      if checks == 3 { ready() }
      return nil
    }

    func end() { hasBeenEnded = true }
  }

  private func write(_ entry: String) {
    sandbox.folder.write("sandbox-server-8080.json", entry)
    sandbox.folder.write("sandbox-servers.json", #"["sandbox-server-8080.json"]"#)
  }

  @Test func theServerIsStartedWithoutTheOption() throws {
    let entry = #"{"url":"http://127.0.0.1:8080","pid":77,"key":"k","environment":{"IFTTT_API_URL":"x"}}"#
    var started: (arguments: [String], log: String)?
    sandbox.background = { [self] (arguments, log) throws(SystemError) in
      started = (arguments, log)
      return Background { write(entry) }
    }
    let run = sandbox.run("sandbox start --fault --detach --detach --port 8080 --json")
    #expect(run.exit == .usage, "--detach is no fault")
    let good = sandbox.run("sandbox start --detach --port 8080 --json")
    #expect(good.exit == .success && good.errors == "", "\(good.errors)")
    #expect(started?.arguments == ["sandbox", "start", "--port", "8080", "--json"])
    #expect(started?.log.hasPrefix(sandbox.folder.path) == true)
    let row = try JSONValue(parsing: Array(good.output.utf8))
    #expect(row["url"] == "http://127.0.0.1:8080" && row["pid"] == 77)
    let stored = try JSONValue(parsing: Array((sandbox.folder.text("sandbox-server-8080.json") ?? "").utf8))
    #expect(stored["log"]?.string == started?.log && stored["key"] == "k")
  }

  @Test func aServerThatEndsReportsItsOwnError() {
    sandbox.background = { (_, log) throws(SystemError) in
      try? "ifttt: cannot listen\n".write(toFile: log, atomically: false, encoding: .utf8)
      return Background(ending: (after: 2, status: 1))
    }
    let run = sandbox.run("sandbox start --detach")
    #expect(run.exit == .failure && run.errors == "ifttt: cannot listen\n" && run.output == "")
    #expect(!sandbox.folder.names.contains { $0.hasSuffix(".log") })
  }

  @Test func aServerThatIsKilledIsReported() {
    sandbox.background = { (_, _) throws(SystemError) in Background(ending: (after: 0, status: 137)) }
    let run = sandbox.run("sandbox start --detach")
    #expect(run.exit == .failure && run.errors.contains("the server ended before it was ready"))
  }

  @Test func standardInputIsRejected() {
    for option in ["--seed -", "--control-key-file=-", "--service-key-file -"] {
      let run = sandbox.run("sandbox start --detach \(option)")
      #expect(run.exit == .usage && run.errors.contains("--detach cannot be combined with '-'"), "\(run.errors)")
    }
  }

  @Test func itWaitsForTheReadyFile() throws {
    let ready = sandbox.folder["ready.json"]
    sandbox.folder.write("ready.json", #"{"pid":5}"#)
    sandbox.background = { [self] (_, _) throws(SystemError) in
      write(#"{"url":"http://127.0.0.1:8080","pid":77,"key":"k","environment":{}}"#)
      return Background { sandbox.folder.write("ready.json", #"{"pid":77}"#) }
    }
    #expect(sandbox.run("sandbox start --detach --ready-file '\(ready)'").exit == .success)
    #expect(sandbox.folder.text("ready.json") == #"{"pid":77}"#)
  }
}
