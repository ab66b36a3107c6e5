package import Time
import World

/// A run over many that changed something at IFTTT, or set out to, as the journal has it.
package struct JournalRun: Sendable, Equatable {
  package enum State: String, Sendable {
    /// Under way, or killed: whether a process still holds the lock tells.
    case running
    case interrupted
    /// It came to its end, and some items failed.
    case failed
    case done
  }

  package let number: Int64
  /// `connections disable`.
  package let command: String
  /// The command line without secrets.
  package let words: String
  package let isForced: Bool
  /// The name of a file in the data folder on which the run holds a lock while it lives.
  package let lock: String
  /// When it began, or was last gone on with.
  package let begunAt: Timestamp
  /// Nil while it is under way, and for good where it was killed.
  package let endedAt: Timestamp?
  package let state: State
}

/// One thing that a run is to change.
package struct JournalItem: Sendable, Equatable {
  package enum State: String, Sendable {
    /// Nothing was sent.
    case planned
    /// Its request may have left, and what became of it is unknown.
    case sent
    case done, failed
    /// Found impossible before anything was sent.
    case refused
  }

  package let id: String
  /// What is asked of IFTTT: `enable`, `disable` or ``configure``.
  package let action: String
  /// What it was before the run, nil while that is unknown: the status, or the configuration as JSON.
  package var before: String?
  /// The state that was fetched afterwards; the requested configuration if it was not fetched since.
  package var after: String?
  package var state: State

  package init(
    id: String, action: String, before: String? = nil, after: String? = nil, state: State = .planned
  ) {
    (self.id, self.action, self.before, self.after, self.state) = (id, action, before, after, state)
  }

  /// The action that replaces a connection's configuration.
  package static let configure = "configure"

  /// Whether a later run has anything to do about it.
  package var isUnfinished: Bool { state == .planned || state == .sent || state == .failed }

  /// Whether the run changed it, or may have.
  package var mayHaveChanged: Bool { state == .sent || (state == .done && before != after) }
}
