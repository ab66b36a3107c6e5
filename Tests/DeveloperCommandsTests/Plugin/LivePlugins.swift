import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Runs of `plugin test` with real processes and slowed time: a loaded machine may take seconds to start Python.
enum LivePlugins {
  typealias Checks = [String: (status: String, reason: String?)]

  static func home() -> Home {
    let home = Home()
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    // The templates store their files there.
    home.environment["HOME"] = home.folder.path
    var interruption: TestInterruption?
    home.prepare = { interruption = $0.interruption }
    home.adapt = { world in
      let interruption = interruption ?? TestInterruption()
      world.clock = SlowClock(real: LiveClock(interruption: interruption))
      // Programs and interpreters are elsewhere.
      world.files = LiveFiles(interruption: interruption)
      world.processes = LiveProcesses(interruption: interruption, environment: world.environment)
    }
    return home
  }

  static func test(_ path: String, _ options: String = "", in home: Home) throws -> (
    checks: Checks, outcome: Home.Outcome
  ) {
    let outcome = home.run("plugin test \(path) --json \(options)")
    let rows = try JSONValue(parsing: Array(outcome.output.utf8)).array ?? []
    var checks: Checks = [:]
    for row in rows { checks[row["name"]?.string ?? ""] = (row["status"]?.string ?? "", row["reason"]?.string) }
    return (checks, outcome)
  }

  /// The names of the checks of a kind of plugin, including those that a plugin may skip.
  static func checks(of kind: Manifest.Kind) -> Set<String> {
    switch kind {
    case .command: ["manifest", "start"]
    case .provider:
      [
        "manifest", "handshake", "capabilities", "version-mismatch", "unknown-method", "split-lines", "joined-lines",
        "huge-message", "huge-response", "unicode", "rubbish", "connections", "show", "enable", "disable", "configure",
        "activate", "credential-status", "complete", "commands", "secrets", "cancel", "cancel-in-request",
        "slow-response", "end-of-input", "end-in-mid-stream", "end-in-request", "nothing-left",
      ]
    }
  }

  /// Runs a shell command that builds a plugin in Go in a folder, without the network and with its caches elsewhere.
  static func buildGo(in folder: String, _ command: String) throws {
    let scratch = try ScratchFolder()
    let build = try Tool.required("sh").run(
      ["-c", "cd \"$0\" && \(command)", folder], in: scratch,
      environment: ["CGO_ENABLED": "0", "GOPROXY": "off", "GOFLAGS": "-modcacherw"])
    #expect(build.status == 0, "\(build.errors)")
  }
}

/// A clock on which five real seconds are one second.
private struct SlowClock: Clock {
  let real: LiveClock

  func now() -> Timestamp { real.now() }
  func monotonic() -> Duration { real.monotonic() / 5 }
  func sleep(for duration: Duration) { real.sleep(for: duration * 5) }
}
