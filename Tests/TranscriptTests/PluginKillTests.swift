import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `kill -9` at random times while plugins are installed, replaced, rolled back and removed. `TEST_SEED` repeats a run, and
/// `KILL_ROUNDS` makes it longer.
@Suite struct PluginKillTests {
  private let home = Home()

  /// The installed version, and the one that a rollback restores.
  private struct State: Equatable {
    var version: String?
    var previous: String?
  }

  private enum Change: CaseIterable {
    case first, second, third, rollback, removal

    func words(_ path: (String) -> String) -> [String] {
      switch self {
      case .first: ["plugin", "install", path("1"), "--yes"]
      case .second: ["plugin", "install", path("2"), "--yes"]
      case .third: ["plugin", "install", path("3"), "--yes"]
      case .rollback: ["plugin", "rollback", "try", "--yes"]
      case .removal: ["plugin", "remove", "try", "--yes"]
      }
    }

    /// The state after the change; nil if it is not possible.
    func applied(to state: State) -> State? {
      func install(_ version: String) -> State {
        State(version: version, previous: state.version == version ? state.previous : state.version)
      }
      switch self {
      case .first: return install("1")
      case .second: return install("2")
      case .third: return install("3")
      case .rollback: return state.previous.map { State(version: $0) }
      case .removal: return state.version == nil ? nil : State()
      }
    }
  }

  private func path(_ version: String) -> String { home.workplace["try-\(version)"] }

  private func write(_ version: String) throws {
    try FileManager.default.createDirectory(atPath: path(version), withIntermediateDirectories: true)
    home.workplace.write(
      "try-\(version)/plugin.json",
      #"{"schema_version":1,"name":"try","version":"\#(version)","summary":"Tries","kind":"command"}"#)
    home.workplace.write("try-\(version)/ifttt-try", "#!/bin/sh\necho \(version)\n", mode: 0o755)
  }

  /// The state as the program shows it. A plugin that is there must run.
  private func present() throws -> State {
    let list = try home.run("plugin", "list", "-o", "tsv", "--no-header", "--fields", "version,status").text
    guard !list.isEmpty else { return State() }
    let fields = list.dropLast().split(separator: "\t").map(String.init)
    #expect(fields.last == "ready")
    #expect(try home.run("try").text == "\(fields[0])\n")
    let previous = try home.run(
      "plugin", "show", "try", "-o", "tsv", "--no-header", "--fields", "previous_version"
    ).text.dropLast()
    return State(version: fields[0], previous: previous.isEmpty ? nil : String(previous))
  }

  private var hidden: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.folder["plugins"])) ?? []).filter {
      $0.hasPrefix(".version")
    }
  }

  /// Run a command, and kill it once part of the time has passed.
  private func run(_ words: [String], killingAfter time: Duration) throws -> Bool {
    let running = try home.start(words)
    let end = ContinuousClock.now + time
    waitUntil(ContinuousClock.now >= end)
    running.signal(SIGKILL)
    return running.wait() == 0
  }

  @Test func aKilledChangeIsCompletedOrUndone() throws {
    let environment = ProcessInfo.processInfo.environment
    let rounds = environment["KILL_ROUNDS"].flatMap { Int($0) } ?? 40
    var generator = SeededGenerator.random()
    for version in ["1", "2", "3"] { try write(version) }
    var (state, whole, completed, undone) = (State(), Duration.zero, 0, 0)
    for change in [Change.first, .second] {
      let start = ContinuousClock.now
      #expect(try home.run(change.words(path)).status == 0)
      whole = max(whole, ContinuousClock.now - start)
      state = try #require(change.applied(to: state))
    }
    for round in 1...rounds {
      let choices = Change.allCases.filter { $0.applied(to: state).map { $0 != state } ?? false }
      let change = try #require(choices.randomElement(using: &generator))
      let part = Double(UInt32.random(in: 0...1000, using: &generator)) / 1000
      let hasEnded = try run(change.words(path), killingAfter: whole * part)
      let (now, after) = (try present(), change.applied(to: state))
      #expect(now == after || now == state && !hasEnded, "round \(round): \(change), \(state), \(now)")
      if now == after { completed += 1 } else { undone += 1 }
      state = now
    }
    print("PluginKillTests: \(completed) completed, \(undone) undone")
    #expect(try home.run("plugin", "install", path("1"), "--yes").status == 0)
    #expect(hidden.count == (try present().previous == nil ? 0 : 1))
    #expect(try home.isIntact())
  }
}
