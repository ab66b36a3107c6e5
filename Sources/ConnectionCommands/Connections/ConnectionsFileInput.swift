import Changes
import IFTTT
import Session
import Text

extension ConnectionsFile {
  /// Reads the file of a command; `-` is stdin.
  /// - Throws: `refused` if it cannot be read, `invalid_parameters` with the place of its first error.
  static func read(_ file: String, in session: Session) throws -> ConnectionsFile {
    let bytes = try session.console.contents(of: file, for: "FILE", limit: sizeLimit)
    do throws(ConnectionsFileError) { return try ConnectionsFile(parsing: bytes) } catch {
      throw error.problem(
        of: file, "a file of connections",
        hint:
          "\(ifttt: "connections export --all") writes such a file; for its schema: \(ifttt: "schema connections-file")."
      )
    }
  }
}

extension DesiredConnections {
  /// Those of a shard.
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

extension ConnectionsFileError {
  /// - Parameter what: what the file should be.
  func problem(of file: String, _ what: String, hint: Hint) -> Problem {
    Problem(
      .invalidParameters, "\(file == "-" ? "stdin" : "'\(file)'") is not \(what)",
      reason: [place, message].filter { !$0.isEmpty }.joined(separator: ": "), hint: hint)
  }
}
