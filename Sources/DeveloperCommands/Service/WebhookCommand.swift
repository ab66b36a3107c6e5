import Session
import Store
import Text
import World

/// Runs a command for each webhook, one at a time, and prints its output.
///
/// The end of each command is recorded before the next one starts. A webhook whose command has not ended waits for a
/// later run, so a command that is killed with the program runs again.
struct WebhookCommand {
  private let session: Session
  private let commandLine: [String]
  private let write: ([UInt8]) throws -> Void

  init(_ session: Session, _ commandLine: [String], write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.commandLine, self.write) = (session, commandLine, write)
  }

  func show(_ row: WebhookRow) throws {
    let result: ProcessResult
    do throws(SystemError) {
      // The user's own command may run this program again, so it receives every variable, as a Git hook does.
      result = try session.world.processes.run(
        commandLine, input: row.bytes + [UInt8(ascii: "\n")], limit: .seconds(100 * 365 * 86_400), seeing: .all)
    } catch {
      try session.world.checkInterruption()
      guard error.isTooLarge else {
        return note(row, "did not run, and runs with the next 'service listen --exec': \(error)")
      }
      // The program ended the command. Another run would print as much.
      try record(WebhookExecution(state: .failed), of: row)
      return note(row, "was ended: \(error)")
    }
    try record(
      WebhookExecution(state: result.status == 0 ? .succeeded : .failed, status: Int(result.status)), of: row)
    if !result.output.isEmpty { try write(result.output) }
    if result.status != 0 { note(row, "exited with status \(result.status)") }
  }

  private func record(_ execution: WebhookExecution, of row: WebhookRow) throws {
    try WebhookStore(session.store, profile: session.profile.name).noteExecution(execution, of: row.stored.number)
  }

  private func note(_ row: WebhookRow, _ outcome: String) {
    session.console.note("\(commandLine[0]) for webhook \(String(row.stored.number)) (\(row.name)) \(outcome)")
  }
}

/// The webhooks for which earlier runs did not run the command of `--exec`.
///
/// All runs with `--exec` share a lock. If another run holds it, the webhooks that wait may be that run's own, for
/// which it will still run the command. They are left to a later run.
struct ExecBacklog {
  /// The webhooks that the command runs for.
  let filter: WebhookFilter
  /// The numbers of the webhooks, oldest first.
  let numbers: [Int64]
  /// Whether another run may leave webhooks behind.
  let isShared: Bool
  private let lock: FileLock?

  init(_ filter: WebhookFilter, of store: Store, profile: String, in session: Session) throws {
    let files = session.world.files
    self.filter = filter
    let folder = store.directories.data
    do {
      // Runs that start at the same time take turns, so that only one of them acquires the exclusive lock.
      (numbers, isShared, lock) = try files.locked("\(folder)/webhooks.lock") {
        let path = "\(folder)/webhooks-\(profile).lock"
        let exclusiveLock = try files.lock(path)
        let numbers = exclusiveLock == nil ? [] : try WebhookStore(store, profile: profile).toExecute(filter)
        exclusiveLock?.release()
        return (numbers, exclusiveLock == nil, try files.sharedLock(path))
      }
    } catch is SystemError {
      // A file system without locks. A command that runs twice is better than one that never runs.
      (numbers, isShared, lock) = (try WebhookStore(store, profile: profile).toExecute(filter), false, nil)
    }
  }
}
