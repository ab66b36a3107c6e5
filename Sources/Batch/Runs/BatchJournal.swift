package import API
import Arguments
package import CommandContext
import HTTP
import Hints
package import Store
import World

/// How a run that changes is written down: its lock while it lives, and the journal's view of earlier runs.
package struct BatchJournal {
  package let session: Session

  package init(session: Session) {
    self.session = session
  }

  private var profile: String { get throws { try session.profile.name } }
  private func path(_ lock: String) throws -> String { "\(try session.store.places.data)/\(lock)" }

  /// A journal for a run that begins, not yet written.
  package func begun(_ items: [JournalItem], isForced: Bool) throws -> (Journal, lock: String) {
    let lock =
      "run-" + String(session.world.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 36) + ".lock"
    let beginning = Journal.Beginning(
      profile: try profile, command: session.path.joined(separator: " "), words: words, isForced: isForced, lock: lock)
    return (Journal(beginning, items: items, in: try session.store), lock)
  }

  /// The command line as it was understood, values of secret options masked. The ids are in the items.
  private var words: String {
    let options = session.provenance.compactMap { given -> String? in
      guard case .commandLine = given.source else { return nil }
      return given.value.map { "\(given.option) \($0)" } ?? given.option
    }
    return (["ifttt"] + session.path + options).joined(separator: " ")
  }

  /// The newest run of this command that nobody is at work on and that did not do all it set out to do.
  /// - Throws: `not_found` where there is none, `conflict` where it is under way.
  package func resumable() throws -> JournalRun {
    let command = session.path.joined(separator: " ")
    let runs = try session.store.unfinishedRuns(of: command, profile: profile)
    for run in runs where try !isAlive(run) { return run }
    if runs.isEmpty {
      throw Problem(
        .notFound, "no run of '\(command)' was interrupted",
        reason: "each came to its end, as far as the journal of this profile goes",
        hint: "Begin one without --resume.")
    }
    throw Problem(
      .conflict, "the run of '\(command)' that could be gone on with is still under way",
      hint: "Wait until it has ended, or end it with Ctrl-C.")
  }

  /// Whether a process is at work on it.
  package func isAlive(_ run: JournalRun) throws -> Bool {
    guard run.state == .running else { return false }
    let isFree = try session.world.files.lockedAtOnce(try path(run.lock)) { true }
    if isFree == true { forget(run.lock) }
    return isFree == nil
  }

  /// Runs `body` as the only one at work on a run. Nobody can be told from a run that was killed otherwise.
  /// - Throws: `conflict` where another process is at work on it.
  package func alone<T>(on lock: String, _ body: () throws -> T) throws -> T {
    try session.world.files.makeFolder(session.store.places.data)
    let result = try session.world.files.lockedAtOnce(try path(lock)) {
      defer { forget(lock) }
      return try body()
    }
    guard let result else {
      throw Problem(
        .conflict, "another process is at work on that run", hint: "Wait until it has ended, or end it with Ctrl-C.")
    }
    return result
  }

  /// The name is used by one run alone, so nobody waits for a file that is gone.
  private func forget(_ lock: String) { try? session.world.files.remove(path(lock)) }
}

extension Journal {
  /// Runs `body` and records the batch's final state in the journal.
  package func finishing(_ body: () throws -> Void) throws {
    let end = Result { try body() }
    var state: JournalRun.State = items.contains { $0.isUnfinished } ? .failed : .done
    if case .failure(let error) = end, Problem(error).code == .interrupted { state = .interrupted }
    let closing = Result { try self.end(state) }
    try end.get()
    try closing.get()
  }
}

extension APIError {
  /// Whether it is certain that the request changed nothing.
  package var leavesNothingChanged: Bool {
    switch self {
    case .http(.transport(let failure, _, _)): !failure.mayHaveArrived
    case .http(.skipped): true
    case .http(.interrupted), .http(.redirect), .unreadable: false
    case .answer(let error): error.kind != .serverError
    case .needs: true
    }
  }
}
