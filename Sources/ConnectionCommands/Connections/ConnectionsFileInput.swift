import Changes
import IFTTT
import JSON
import Session
import Text
import World

extension ConnectionsFile {
  /// Reads the file of a command; `-` is stdin.
  /// - Throws: `refused` if it cannot be read, `invalid_parameters` with the location of its first error.
  static func read(_ file: String, in session: Session) throws -> ConnectionsFile {
    try parse(contents(of: file, in: session), of: file)
  }

  static func contents(of file: String, in session: Session) throws -> [UInt8] {
    try session.console.contents(of: file, for: "FILE", limit: sizeLimit)
  }

  static func parse(_ bytes: [UInt8], of file: String) throws -> ConnectionsFile {
    do throws(DocumentError) { return try ConnectionsFile(parsing: bytes) } catch {
      throw error.problem(
        of: file, "a file of connections",
        hint:
          "\(ifttt: "connections export --all") writes such a file; for its schema: \(ifttt: "schema connections-file")."
      )
    }
  }
}

extension DesiredConnections {
  /// The connections of a shard; all of them if it is nil.
  func limited(to shard: Shard?) -> DesiredConnections {
    guard let shard else { return self }
    return filter { shard.contains($0.description) }
  }
}

extension ChangeSource {
  /// The connections of a file.
  init(_ entries: DesiredConnections, _ adjust: @escaping (inout SubjectChange.Request) -> Void) {
    self.init(count: entries.count, subject: { Subject(id: entries.ids[$0].description) }) { index in
      var request = SubjectChange.Request(Subject(id: entries.ids[index].description), .entry(entries[index]))
      adjust(&request)
      return request
    }
  }
}

extension DocumentError {
  /// - Parameter expected: the expected contents, such as `a plan`.
  func problem(of file: String, _ expected: String, hint: Hint) -> Problem {
    Problem(
      .invalidParameters, "\(file == "-" ? "stdin" : "'\(file)'") is not \(expected)",
      reason: [path, message].filter { !$0.isEmpty }.joined(separator: ": "), hint: hint)
  }
}

extension PlanFile {
  /// Reads the plan of `connections apply --plan`.
  /// - Throws: `refused` if it cannot be read, `invalid_parameters` with the location of its first error.
  static func read(_ file: String, in session: Session) throws -> PlanFile {
    let bytes = try session.console.contents(of: file, for: "--plan", limit: ConnectionsFile.sizeLimit)
    do throws(DocumentError) { return try PlanFile(parsing: bytes) } catch {
      throw error.problem(of: file, "a plan", hint: "\(ifttt: "connections diff FILE --plan-out PLAN") writes one.")
    }
  }

  /// - Parameter changed: the connections that are no longer in the state that the plan was made from.
  func outOfDate(_ changed: [(id: String, reason: String)]) -> Problem {
    Problem(
      .conflict, "the plan is out of date; nothing was sent",
      reason: "\(changed.count) of \(entries.count) connections are not in the state that it was made from",
      hint: "Make a new plan with \(ifttt: "connections diff FILE --plan-out PLAN").",
      details: changed.map { Problem.Detail(parameter: $0.id, message: $0.reason) })
  }

  /// Writes the plan for `connections diff --plan-out`. Only its owner can read it, because it contains settings.
  /// - Throws: `output_failed`.
  func write(to path: String, in session: Session) throws {
    try session.world.write("the plan", json.indented, to: path, mode: 0o600)
  }
}
