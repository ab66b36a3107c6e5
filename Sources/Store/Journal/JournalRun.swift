package import Time
import World

/// A batch run that changed something at IFTTT, or was about to, as recorded in the journal.
package struct JournalRun: Sendable, Equatable {
  package enum State: String, Sendable {
    /// The run is in progress or was killed. It is in progress if a process still holds its lock.
    case running
    case interrupted
    /// The run completed, and some items failed.
    case failed
    case done
  }

  package let number: Int64
  /// The command, such as `connections disable`.
  package let command: String
  /// The command line without secrets.
  package let words: String
  package let isForced: Bool
  /// The name of a file in the data folder. The run holds a lock on it while its process is alive.
  package let lock: String
  /// The time when the run started or was last resumed.
  package let begunAt: Timestamp
  /// The end time; nil while the run is in progress, and permanently if it was killed.
  package let endedAt: Timestamp?
  package let state: State
  /// Whether it acts for the users of a file, with an item for each change that was sent.
  package let isOverUsers: Bool
  /// The number of the run over users that it undoes; nil for any other run.
  package let undoes: Int64?
}

/// One change of a batch run.
package struct JournalItem: Sendable, Equatable {
  package enum State: String, Sendable {
    /// Nothing was sent.
    case planned
    /// The request may have been sent, and its outcome is unknown.
    case sent
    case done, failed
    /// Rejected before anything was sent.
    case refused
  }

  package let id: String
  /// The user whose connection it is; nil for the profile's own user.
  package let userID: String?
  /// The requested action: `enable`, `disable`, ``configure``, ``apply`` or ``exchange``.
  package let action: String
  /// The state before the run: the status, or the configuration or both as JSON. It is nil while unknown.
  package var before: String?
  /// The state that was fetched after the change; the requested one if nothing was fetched since.
  package var after: String?
  package var state: State

  package init(
    id: String, userID: String? = nil, action: String, before: String? = nil, after: String? = nil,
    state: State = .planned
  ) {
    (self.id, self.userID, self.action) = (id, userID, action)
    (self.before, self.after, self.state) = (before, after, state)
  }

  /// The action that replaces a connection's configuration.
  package static let configure = "configure"
  /// The action that changes status and configuration.
  package static let apply = "apply"

  /// The action that stores a user's token.
  package static let exchange = "exchange"

  /// Whether a resumed run still has work to do on the item.
  package var isUnfinished: Bool { state == .planned || state == .sent || state == .failed }

  /// Whether the run changed the item or may have.
  package var mayHaveChanged: Bool { state == .sent || (state == .done && before != after) }
}
