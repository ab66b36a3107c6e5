package import Batch
package import CommandContext
import Connect
import DesiredState
import Hints
import JSON
package import Store
import Users

/// Returns the connections of many users to their states before a run over them.
package struct UserStateUndo {
  private let credentials: CredentialOptions
  private let isForced: Bool
  private let reports: [ReportFile]
  private let session: Session

  /// - Parameter isForced: whether connections that were changed again since are reverted too.
  package init(
    _ credentials: CredentialOptions, isForced: Bool, _ reports: [ReportFile], in session: Session
  ) {
    (self.credentials, self.isForced, self.reports, self.session) = (credentials, isForced, reports, session)
  }

  /// Undoes a run, as a new run.
  package func undo(_ run: JournalRun) throws -> Output {
    try session.confirm(changeOf: 1) { try session.store.countJournalUsers(of: run.number) }
    return try output(run, resuming: nil)
  }

  /// Resumes an undo that was interrupted or failed.
  package func resume(_ undo: JournalRun) throws -> Output {
    guard let number = undo.undoes, let run = try session.store.journalRun(number) else {
      throw Problem(
        .notFound, "the run to undo is no longer in the journal",
        hint: "Set the state with \(ifttt: "connections apply FILE --users USERS").")
    }
    return try output(run, resuming: undo)
  }

  private func output(_ run: JournalRun, resuming undo: JournalRun?) throws -> Output {
    let clients = try UserClients(credentials, isStatusOnly: false, for: "'connections undo'", in: session)
    let store = try session.store
    var (page, last): (ArraySlice<String>, String?) = ([], nil)
    let users = try UserRun(
      listing: {
        if page.isEmpty { page = try store.journalUsers(of: run.number, after: last, limit: 256)[...] }
        guard let user = page.popFirst() else { return nil }
        last = user
        return UserEntry(userID: user)
      }, reports: reports, in: session)
    return try UserStateRun(clients, allowsRemoval: true, resuming: undo, undoing: run.number, in: session)
      .output(users) { user in
        try store.journalItems(of: run.number, user: user.userID).filter(\.mayHaveChanged).map { item in
          guard let id = ConnectionID(parsing: item.id), let before = RecordedState(journaled: item.before) else {
            return .failure(
              Problem(
                .refused, "the previous state of connection '\(item.id)' is unknown",
                reason: "a later version of this program recorded it", hint: "Undo the run with that version."))
          }
          return .success(
            UserStateRun.Aim(
              target: .earlier(id, before), expected: isForced ? nil : RecordedState(journaled: item.after)))
        }
      }
  }
}

extension RecordedState {
  /// Nil if the text is not a state.
  init?(journaled text: String?) {
    guard let json = text.flatMap({ try? JSONValue(parsing: Array($0.utf8)) }) else { return nil }
    self.init(json)
  }
}
