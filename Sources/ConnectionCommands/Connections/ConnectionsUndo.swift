import Changes
import CommandLine
import IFTTT
import Session
import Store
import Text
import World

/// `connections undo` and `connections redo`.
protocol ReversalCommand: Command where Options == ReversalOptions {
  static var direction: Reversal.Direction { get }
}

extension ReversalCommand {
  static var flags: [Flag<Options>] { Options.flags(name) }
  static var positionals: [Positional<Options>] { [Options.number] }
  static var reportFormats: [ReportFile.Format] { ReportFile.Format.common }
  static var shape: OutputSchema? { .changes(overUsers: true) }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try RunReversal(direction, options, in: session).output()
  }
}

enum ConnectionsUndo: ReversalCommand {
  static let direction = Reversal.Direction.undo
  static let name = "undo"
  static let summary = "Undo the last run that changed something"
  static var discussion: [String] {
    [
      """
      Reverts the newest run of this profile that changed something and is not undone yet. It restores the status and \
      settings of connections and Applets, for one user or many, at IFTTT and at providers. Run it again to go further \
      back; 'connections redo' goes forward. With RUN, it undoes that run, unless a newer run has changed the same \
      connections; 'connections history' lists the runs.
      """,
      """
      Each connection is fetched first. If it has already been reverted, nothing is sent. If others have changed it \
      since, it fails with 'conflict', unless --force is given. A connection that was disabled before it was configured \
      cannot be enabled again; run 'connections activate ID --no-skip-config' instead. If the previous state is unknown, \
      nothing is undone.
      """,
      """
      It prompts for confirmation if settings would be removed, if a step cannot be reverted, or if the run changed \
      several users. With --dry-run, each state before and after is shown, and nothing is changed.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections undo --dry-run", "show what would change"),
      ExampleSchema("connections undo --json", "undo the last run, and print the changes as JSON"),
    ]
  }
}

enum ConnectionsRedo: ReversalCommand {
  static let direction = Reversal.Direction.redo
  static let name = "redo"
  static let summary = "Redo the last run that was undone"
  static var discussion: [String] {
    [
      """
      Repeats the changes of the run that 'connections undo' reverted last. After a newer change, there is nothing to \
      redo. Everything else works as in 'connections undo'.
      """
    ]
  }
  static var positionals: [Positional<Options>] { [] }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections redo --dry-run", "show what would change")]
  }
}

/// The options of `connections undo` and `connections redo`.
struct ReversalOptions: OptionsWithUsers {
  var run: Int?
  var credentials = CredentialOptions()
  var isForced = false
  var resumes = false
  /// A reversal has only the rate of these: it applies to the users of its run.
  var users = UsersOptions()

  static func flags(_ verb: String) -> [Flag<ReversalOptions>] {
    [
      .toggle("resume", into: \.resumes, help: "Resume the last \(verb) that was interrupted or failed"),
      .toggle("force", into: \.isForced, help: "Also revert connections that others have changed since"),
    ] + .lifted([UsersOptions.rateFlag], into: \.users)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }

  static var number: Positional<ReversalOptions> {
    .optional(
      .integer(in: 1...Int.max, placeholder: "RUN"), into: \.run,
      help: "The number of the run, see 'connections history'")
  }

  func check() throws(Conflict) {
    guard resumes else { return }
    if isForced { throw Conflict.forceWithResume }
    if run != nil { throw Conflict("--resume continues the last one: omit RUN", options: ["resume"]) }
  }
}

/// Finds the run that `connections undo` or `connections redo` applies to, and reverts it.
struct RunReversal {
  private let direction: Reversal.Direction
  private let options: ReversalOptions
  private let session: Session

  init(_ direction: Reversal.Direction, _ options: ReversalOptions, in session: Session) {
    (self.direction, self.options, self.session) = (direction, options, session)
  }

  func output() throws -> Output {
    let journals = BatchJournal(session: session)
    if options.resumes {
      let resumed = try journals.resumable(overUsers: nil)
      guard let number = resumed.undoes, let run = try JournalStore(session.store).run(number) else {
        throw Problem.runDeleted
      }
      return try reversal(of: run, resuming: resumed).output()
    }
    let run = try runToRevert()
    if try journals.isAlive(run) {
      throw Problem(
        .conflict, "run \(run.number) is still in progress", hint: "Wait for it to end, or stop it with Ctrl-C.")
    }
    return try reversal(of: run, resuming: journals.unfinishedReversal(of: run)).output()
  }

  private func reversal(of run: JournalRun, resuming resumed: JournalRun?) -> Reversal {
    Reversal(
      direction, run, resuming: resumed, options.credentials,
      isForced: options.isForced || resumed?.isForced == true, in: session
    ) { run in
      guard let service = run.service.flatMap(ServiceSlug.init(parsing:)) else {
        throw Problem(.cannotUndo, "the service of the Applets is unknown")
      }
      return try AppletSubjects(of: service, options.credentials, in: session)
    }
  }

  private func runToRevert() throws -> JournalRun {
    let (store, profile) = (try session.store, try session.profile.name)
    guard let number = options.run else {
      let run =
        direction == .undo
        ? try JournalStore(store).newestUndoable(profile: profile)
        : try JournalStore(store).newestRedoable(profile: profile)
      if let run { return run }
      let verb = direction == .undo ? "undo" : "redo"
      throw Problem(
        .notFound, "nothing to \(verb)",
        reason: direction == .undo
          ? "no run in this profile's journal changed something and is not undone"
          : "no run was undone since the last change",
        hint: "See what was changed: \(ifttt: "connections history").")
    }
    let history: Hint = "See the runs: \(ifttt: "connections history")."
    guard let run = try JournalStore(store).run(Int64(number)), run.profile == profile, run.undoes == nil else {
      throw Problem(.notFound, "no run \(number) to undo", hint: history)
    }
    if run.undoneBy != nil { throw Problem(.notFound, "run \(number) is already undone", hint: history) }
    if let newer = try JournalStore(store).newerRun(than: run, profile: profile) {
      throw Problem(
        .conflict, "run \(newer.number) changed the same connections after run \(number)",
        reason: "'\(newer.commandLine)' from \(newer.begunAt.rfc3339)",
        hint: "Undo it first: \(ifttt: "connections undo \(String(newer.number))").")
    }
    return run
  }
}
