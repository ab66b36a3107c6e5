import CommandLine
import Text
import World

extension Session {
  /// The maximum number of ids on stdin: enough for any account, and few enough to hold in memory.
  static var longestSelection: Int { 100_000 }

  /// Reads the ids on stdin, all of them before the command has any effect.
  ///
  /// - Parameter make: parses an id; nil for text that is not an id.
  /// - Throws: `usage` if the input is not empty and no part of it is valid.
  package func selectionFromInput<ID>(_ what: String, _ make: (String) -> ID?) throws -> BatchSelection<ID> {
    var reader = IdentifierReader()
    var selection = BatchSelection<ID>(ids: [])
    var seen: Set<ID> = []
    func receive(_ finding: IdentifierReader.Element) throws {
      switch finding {
      case .id(let line, let text):
        guard let id = make(text) else { return selection.add(fault(line, "it is not \(what)")) }
        guard seen.insert(id).inserted else { return }
        guard selection.ids.count < Session.longestSelection else {
          throw Problem(
            .usage, "stdin contains more than \(Session.longestSelection) items",
            hint: "Split the input, for example with 'split -l 100000'.")
        }
        selection.ids.append(id)
      case .fault(let line, let reason): selection.add(fault(line, reason))
      }
    }
    func fault(_ line: Int, _ reason: String) -> BatchSelection<ID>.Fault {
      BatchSelection.Fault(
        name: "line \(line)",
        problem: Problem(
          .usage, reason,
          hint:
            "Pass one id per line, JSON Lines, a JSON array of ids or of objects with an \"id\", or a list that ifttt printed."
        ))
    }
    try console.readInput(
      for: "--stdin", hint: "Check the program that writes to it.", { try reader.read($0, receive) },
      atEnd: { try reader.end(receive) })
    if selection.ids.isEmpty, let first = selection.faults.first {
      throw Problem(
        .usage, "stdin contains no valid id", hint: first.problem.hint,
        details: selection.faults.prefix(BatchFailures.limit).map {
          Problem.Detail(parameter: $0.name, message: $0.problem.message)
        })
    }
    return selection
  }
}

extension BatchSelection {
  /// Adds an error up to a limit, because endless garbage must not fill the memory.
  fileprivate mutating func add(_ fault: Fault) {
    if faults.count < Session.longestSelection { faults.append(fault) }
  }
}
