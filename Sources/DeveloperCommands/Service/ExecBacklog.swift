import Session
import Store
import World

/// The webhooks for which earlier runs did not run the command of `--exec`.
///
/// All runs with `--exec` share a lock. If another one holds it, the webhooks that wait may be its own, which it is
/// still going to run the command for; they are left to a later run.
struct ExecBacklog {
  /// The webhooks that the command runs for.
  let filter: WebhookFilter
  /// The numbers of the webhooks, oldest first.
  let numbers: [Int64]
  /// Whether another run may leave webhooks behind.
  let hasCompany: Bool
  private let lock: (any FileLock)?

  init(_ filter: WebhookFilter, of store: Store, profile: String, in session: Session) throws {
    let files = session.world.files
    self.filter = filter
    let folder = store.directories.data
    do {
      // Runs that start at the same time take turns, so that only one of them finds itself alone.
      (numbers, hasCompany, lock) = try files.locked("\(folder)/webhooks.lock") {
        let path = "\(folder)/webhooks-\(profile).lock"
        let alone = try files.lock(path)
        let numbers = alone == nil ? [] : try store.webhooksToExecute(filter, profile: profile)
        alone?.release()
        return (numbers, alone == nil, try files.sharedLock(path))
      }
    } catch is SystemError {
      // A file system without locks. A command that runs twice is better than one that never runs.
      (numbers, hasCompany, lock) = (try store.webhooksToExecute(filter, profile: profile), false, nil)
    }
  }
}
