package import World

/// A batch run that changed something at IFTTT, or was about to, as recorded in the journal.
package struct JournalRun: Sendable, Equatable {
  package enum State: String, Sendable {
    /// The run is in progress or was killed. It is in progress if a process still holds its lock.
    case running
    case interrupted
    /// Some items failed, or the run ended with an error.
    case failed
    case done
  }

  /// The number that the store gives it; 0 until the run is written.
  package var number: Int64 = 0
  package let profile: String
  /// The command, such as `connections disable`.
  package let command: String
  /// The command line without secrets.
  package let commandLine: String
  /// Whether requests are sent even if nothing would change.
  package var isForced = false
  /// The name of a file in the data folder. The run holds a lock on it while its process is alive.
  package let lock: String
  /// The time when the run started or was last resumed. The store sets it.
  package var begunAt = Timestamp(milliseconds: 0)
  /// The end time; nil while the run is in progress, and permanently if it was killed.
  package var endedAt: Timestamp?
  package var state = State.running
  /// Whether it acts for the users of a file. It then has an item for each change that was sent.
  package var isOverUsers = false
  /// The number of the run that an undo reverts or a redo restores; nil for any other run.
  package var undoes: Int64?
  /// The number of the undo of this run, if it is undone.
  package var undoneBy: Int64?
  package var allowsRemoval = false
  /// Whether it, or the part of it that begins, was confirmed, so that it is resumed without a question.
  package var isConfirmed = false
  /// The service of Applets.
  package var service: String?
  /// The path of the users file; nil for stdin, and if the run is not over users.
  package var usersFile: String?
  /// The targets of a run over users, as JSON; nil for other runs, and for a run of an earlier version.
  package var targets: String?
  /// The part of the subjects, such as `2/4`; nil for all of them.
  package var shard: String?

  package init(profile: String, command: String, commandLine: String, lock: String) {
    (self.profile, self.command, self.commandLine, self.lock) = (profile, command, commandLine, lock)
  }
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
  /// The action: ``change`` or ``exchange``. Items of earlier versions have `enable`, `disable`, ``configure``,
  /// ``apply`` or ``exchange``.
  package let action: String
  /// The state before the run: the status, or the configuration or both as JSON. It is nil while unknown.
  package var before: String?
  /// The state that was fetched after the change; the requested one if nothing was fetched since.
  package var after: String?
  package var state: State
  /// Nil for a connection of IFTTT, ``applets`` for an Applet, otherwise the name of a plugin.
  package var provider: String?
  /// The requested state as JSON; nil in items of earlier versions.
  package var target: String?
  /// Whether the subject differs from its state before the run.
  package var isChanged = false
  /// The error as JSON, as in an output row.
  package var error: String?

  package init(
    id: String, userID: String? = nil, action: String = JournalItem.change, before: String? = nil,
    after: String? = nil, state: State = .planned, provider: String? = nil, target: String? = nil
  ) {
    (self.id, self.userID, self.action) = (id, userID, action)
    (self.before, self.after, self.state) = (before, after, state)
    (self.provider, self.target) = (provider, target)
  }

  /// The action of items that have a ``target``.
  package static let change = "change"
  /// The provider of Applets.
  package static let applets = "applets"

  /// The action that replaces a connection's configuration.
  package static let configure = "configure"
  /// The action that changes status and configuration.
  package static let apply = "apply"

  /// The action that stores a user's token.
  package static let exchange = "exchange"

  /// Whether a resumed run still has work to do on the item.
  package var isUnfinished: Bool { state == .planned || state == .sent || state == .failed }

  /// Whether the run changed the item or may have.
  package var mayHaveChanged: Bool { action != Self.exchange && (state == .sent || isChanged) }
}
