package import Session
package import Store

/// What holds for all subjects of a run, apart from what they should become.
package struct RunSettings {
  package var isForced = false
  package var allowsRemoval = false
  /// Whether the subjects come from a file or are all there are, so that the change needs a confirmation.
  package var selectsMany = false
  /// Whether the run was confirmed, now or in an earlier part.
  package var isConfirmed = false
  package var reports: BatchReport?
  package var shard: Shard?
  /// The run that an undo or a redo is about.
  package var reverted: JournalRun?
  /// The service of Applets.
  package var service: String?
  /// Nil for a run that is not over users.
  package var users: JournaledUsers?
  /// The unfinished run that continues.
  package var resumed: JournalRun?
  package init() {}
}
