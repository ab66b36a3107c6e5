import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A home whose connections are those of `Servers/changes.py` and of the plugin of `Servers/lamps.sh`, and a program that is
/// killed while it changes them.
final class ChangesHome {
  typealias Change = ChangesServer.Change
  typealias Subject = ChangesServer.Subject
  typealias State = ChangesServer.State

  /// When the program is killed.
  enum Point: CustomStringConvertible {
    /// After a part of the time that the command takes.
    case time(Double)
    /// When this request has come as far as the word says: `before` or `after` its change, or `half` of its response.
    case request(Int, String)
    /// The same of the plugin's requests.
    case plugin(Int, String)

    var description: String {
      switch self {
      case .time(let part): "time \(part)"
      case .request(let number, let moment): "request \(number) \(moment)"
      case .plugin(let number, let moment): "request \(number) of the plugin \(moment)"
      }
    }

    /// Without what differs from one run to the next.
    var kind: String {
      switch self {
      case .time: "at a random time"
      case .request(_, let moment): moment
      case .plugin(_, let moment): "\(moment) in the plugin"
      }
    }
  }

  struct Attempt {
    /// The exit status; nil if the program was killed.
    var status: Int32?
    var rows: [Row]
    var errors: String
  }

  /// A row of a change, or of the history of a run.
  struct Row {
    private let values: [String: Any]

    init?(_ line: Substring) {
      guard let values = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return nil }
      self.values = values
    }

    /// Nil for a row about a field.
    var subject: Subject? {
      guard let name = text("id") else { return nil }
      if name.hasPrefix("lamps:") { return Subject(user: LampsPlugin.name, id: String(name.dropFirst(6))) }
      return Subject(user: text("user_id") ?? ChangesServer.user, id: name)
    }
    func text(_ key: String) -> String? { values[key] as? String }
    func number(_ key: String) -> Int? { values[key] as? Int }
    var isChanged: Bool { values["changed"] as? Bool == true }
    var hasFailed: Bool { !(values["error"] is NSNull) }
    /// A recorded state, with the settings that ``ChangesServer/State`` has.
    func state(_ key: String) -> State? {
      guard let state = values[key] as? [String: Any], let status = state["status"] as? String else { return nil }
      let fields = state["fields"] as? [String: String] ?? [:]
      let own = ["name", "scene"].compactMap { name in fields["mw4tq9hzjc.\(name)"].map { (name, $0) } }
      return State(status: status, fields: Dictionary(uniqueKeysWithValues: own))
    }
    var description: String { "\(values)" }

    static func all(in text: String) -> [Row] { text.split(separator: "\n").compactMap { Row($0) } }
  }

  let server: ChangesServer
  let home: Home
  let lamps: LampsPlugin

  init() throws {
    server = try ChangesServer()
    home = Home(nil, server.environment)
    lamps = try LampsPlugin(in: home)
    for (name, text) in ChangeEntry.files { home.workplace.write(name, text) }
    let exchanged = try home.run("token", "exchange", "--users", home.workplace["users.jsonl"], "-o", "jsonl")
    try #require(exchanged.status == 0, "\(exchanged.errors)")
  }

  /// The changes since the last report, and the states of all that was ever read or changed. The program must have ended.
  func report() throws -> ChangesServer.Report {
    lamps.release()
    var report = try server.report()
    let own = lamps.report()
    report.changes += own.changes
    report.states.merge(own.states) { $1 }
    return report
  }

  func run(_ words: [String], _ more: String...) throws -> (outcome: Home.Outcome, rows: [Row]) {
    let outcome = try home.run(words + more + ["-o", "jsonl"])
    return (outcome, Row.all(in: outcome.text))
  }

  /// Run the program, and kill it.
  /// - Parameters:
  ///   - whole: the time that the command takes.
  ///   - signal: the signal that ends it.
  func run(
    _ words: [String], killedAt point: Point, of whole: Duration = .zero, by signal: Int32 = SIGKILL
  ) throws -> Attempt {
    switch point {
    case .time: break
    case .request(let number, let moment): server.hold(number, moment)
    case .plugin(let number, let moment): lamps.hold(number, moment)
    }
    let running = try home.start(words + ["-o", "jsonl"])
    var output = ""
    switch point {
    case .time(let part): usleep(UInt32(whole * part / .microseconds(1)))
    case .request: if wait(for: server.held, or: running, &output) { server.readHeld() }
    case .plugin: _ = wait(for: lamps.held, or: running, &output)
    }
    running.signal(signal)
    output += running.readToEnd()
    let errors = running.readToEnd(running.errors)
    let status = running.wait()
    lamps.release()
    // Text after the last line break is part of a row.
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Attempt(status: status == -SIGKILL ? nil : status, rows: lines.compactMap { Row($0) }, errors: errors)
  }

  /// Wait until a descriptor is readable or the program ends.
  /// - Returns: whether it is readable.
  private func wait(for descriptor: Int32, or running: Running, _ output: inout String) -> Bool {
    var sources = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: running.output, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&sources, 2, -1) > 0 else { continue }
      if sources[0].revents != 0 { return true }
      let text = running.read(until: "\n")
      if text.isEmpty { return false }
      output += text
    }
  }
}
