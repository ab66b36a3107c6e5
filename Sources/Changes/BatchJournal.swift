import CommandLine
import HTTP
import IFTTT
package import Session
package import Store
import Text
import World

extension JournalRun.State {
  /// The state of a run that ended with a result.
  package init(ending result: Result<Void, any Error>) {
    switch result {
    case .success: self = .done
    case .failure(let error): self = Problem.from(error).code == .interrupted ? .interrupted : .failed
    }
  }
}

/// The journal of batches that change something: the lock of the running batch, and the view of earlier ones.
package struct BatchJournal {
  package let session: Session

  package init(session: Session) {
    self.session = session
  }

  private var command: String { session.path.joined(separator: " ") }
  private var profile: String { get throws { try session.profile.name } }
  private func path(_ lock: String) throws -> String { "\(try session.store.directories.data)/\(lock)" }

  /// Runs `body` with the lock of a new or resumed run, and with its journal.
  /// - Throws: `conflict` if another process is executing the run.
  package func journaled<T>(_ settings: RunSettings, _ body: (Journal) throws -> T) throws -> T {
    let newRun = try newRun(settings)
    return try withExclusiveLock(on: newRun.lock) {
      try body(
        settings.resumed.map { try Journal(resuming: $0, newRun, in: session.store) }
          ?? Journal(newRun, in: session.store))
    }
  }

  /// The record of the run that begins.
  private func newRun(_ settings: RunSettings) throws -> JournalRun {
    let lock =
      "run-" + String(session.world.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 36) + ".lock"
    var newRun = JournalRun(
      profile: try profile, command: command, commandLine: commandLine,
      lock: settings.resumed?.lock ?? lock)
    (newRun.isForced, newRun.allowsRemoval) = (settings.isForced, settings.allowsRemoval)
    newRun.isConfirmed = settings.isConfirmed
    (newRun.undoes, newRun.shard) = (settings.reverted?.number, session.shard?.description)
    newRun.service = settings.service
    if let users = settings.users {
      (newRun.isOverUsers, newRun.usersFile, newRun.targets) = (true, users.file, users.targets)
    }
    return newRun
  }

  /// Adds a hint to an error: how to resume the run.
  /// - Parameter count: the number of items of the run.
  package func addingResumeHint(to error: any Error, count: Int) -> any Error {
    let resume: SuggestedCommand = "\(command: session.path) --resume"
    var problem = Problem.from(error)
    switch problem.code {
    case .interrupted: problem.hint = "Resume with \(ifttt: resume)."
    case _ where count > 1:
      let advice: Hint = "Resume with \(ifttt: resume); completed changes are not sent again."
      problem.hint = Hint.joined([problem.hint, advice].compactMap { $0 })
    default: break
    }
    return problem
  }

  /// The command and its options as typed, with the values of secret options masked. The ids are in the items.
  private var commandLine: String {
    let options = session.provenance.compactMap { value -> String? in
      guard case .commandLine = value.source else { return nil }
      return value.value.map { "\(value.option) \($0)" } ?? value.option
    }
    return (["ifttt"] + session.path + options).joined(separator: " ")
  }

  /// The newest unfinished batch of this command that no process is running.
  /// - Parameter overUsers: whether it acted for the users of a file; nil for either.
  /// - Throws: `not_found` if the command has no unfinished batch, `conflict` if it is still running.
  package func resumable(overUsers: Bool? = false) throws -> JournalRun {
    let name = command + (overUsers == true ? " --users" : "")
    let runs = try JournalStore(session.store).unfinishedRuns(
      of: command, overUsers: overUsers, shard: session.shard?.description, profile: profile)
    for run in runs where try !isAlive(run) { return run }
    if runs.isEmpty {
      throw Problem(
        .notFound, "no run of '\(name)' was interrupted",
        reason: "this profile's journal has no unfinished run of it",
        hint: "Start one without --resume.")
    }
    throw Problem(
      .conflict, "the unfinished run of '\(name)' is still in progress",
      hint: "Wait for it to end, or stop it with Ctrl-C.")
  }

  /// The unfinished undo or redo of a run by this command; nil if there is none. Repeating the command resumes it, so
  /// that its own changes do not count as changes by others.
  package func unfinishedReversal(of run: JournalRun) throws -> JournalRun? {
    try JournalStore(session.store).unfinishedRuns(of: command, overUsers: nil, profile: profile)
      .first { try $0.undoes == run.number && !isAlive($0) }
  }

  /// Whether a process is executing the run.
  package func isAlive(_ run: JournalRun) throws -> Bool {
    guard run.state == .running else { return false }
    let isFree = try session.world.files.lockedAtOnce(try path(run.lock)) { true }
    if isFree == true { removeLock(run.lock) }
    return isFree == nil
  }

  /// Runs `body` with exclusive access to a run. The lock distinguishes a run in progress from a killed one.
  /// - Throws: `conflict` if another process is executing the run.
  private func withExclusiveLock<T>(on lock: String, _ body: () throws -> T) throws -> T {
    try session.world.files.makeFolder(session.store.directories.data)
    let result = try session.world.files.lockedAtOnce(try path(lock)) {
      defer { removeLock(lock) }
      return try body()
    }
    guard let result else {
      throw Problem(
        .conflict, "another process is executing this run", hint: "Wait for it to end, or stop it with Ctrl-C.")
    }
    return result
  }

  /// Removes the lock file. Its name belongs to one run only, so no other process waits for the removed file.
  private func removeLock(_ lock: String) { try? session.world.files.remove(path(lock)) }
}
