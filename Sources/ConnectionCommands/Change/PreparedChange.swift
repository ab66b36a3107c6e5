import Batch
import CommandContext
import Connect
import Hints

/// Changes that are confirmed and ready to be sent.
struct PreparedChange {
  var ids: [QualifiedConnectionID]
  var faults: [BatchSelection<QualifiedConnectionID>.Fault] = []
  /// Sends the changes, and reports the result of each.
  var send: (BatchRun<QualifiedConnectionID>.Report) throws -> Void
  /// Adds to an error how to continue after it.
  var advise: (any Error) -> any Error = { $0 }
}

extension [PreparedChange] {
  /// The output of one batch that sends all of the changes.
  func output(_ report: BatchReport?, in session: Session) -> Output {
    var batch = BatchRun(flatMap(\.ids), in: session)
    (batch.faults, batch.report, batch.isChange) = (flatMap(\.faults), report, true)
    if batch.ids.isEmpty, batch.faults.isEmpty {
      session.console.noteEmpty("No connection was selected; nothing to do.")
    }
    func advised(_ error: any Error) -> any Error { reduce(error) { $1.advise($0) } }
    var output = batch.output(as: .many(ChangeRow<QualifiedConnectionID>.self)) { report in
      do { for change in self { try change.send(report) } } catch { throw advised(error) }
    }
    let verdict = output.verdict
    output.verdict = { do { try verdict() } catch { throw advised(error) } }
    return output
  }
}

extension BatchSelection<ConnectionID> {
  var qualified: BatchSelection<QualifiedConnectionID> {
    BatchSelection<QualifiedConnectionID>(
      ids: ids.map { QualifiedConnectionID($0) }, faults: faults.map { .init(name: $0.name, problem: $0.problem) },
      isSingle: isSingle)
  }
}
