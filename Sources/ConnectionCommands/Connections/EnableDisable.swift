import Changes
import CommandLine
import IFTTT
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// The shared behavior of `connections enable` and `connections disable`.
struct EnableDisable {
  struct Options: OptionsWithUsers {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var provider: ProviderName?
    var users = UsersOptions()

    static var flags: [Flag<Options>] {
      .lifted(ConnectionSelection.flags, into: \.selection) + [
        .resume(into: \.resumes),
        .forceChange(into: \.isForced),
        .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
    }

    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, into: \.selection.ids, help: help)]
    }

    func check() throws(Conflict) {
      var others: [String] = []
      // The status in the cache is that of the profile's own user.
      if !selection.statuses.isEmpty { others.append("status") }
      if case .plugin? = provider { others.append("provider") }
      try users.check(credentials, without: others)
      if resumes, users.file == nil, users.shards.choice != nil {
        throw Conflict("--resume uses the connections of the original run: omit --shard", options: ["shard"])
      }
      if resumes, isForced { throw Conflict.forceWithResume }
      // A run over users may be resumed with or without its connections.
      guard users.file == nil || !resumes else { return }
      try selection.check(["all", "status", "stdin", "resume"], beside: resumes)
    }
  }

  static let discussion = """
    One failure does not stop the rest. Changes are journaled before they are sent: resume with --resume after \
    Ctrl-C, a crash or failures, and revert with 'connections undo'. --all prompts for confirmation unless --yes is \
    given. With --dry-run, each state before and after is shown with the requests, and nothing is changed. If IFTTT \
    cannot be reached, or rejects the credentials, the remaining connections are skipped. Connections named \
    by id are not tracked. With --status, stale connections are fetched first.
    """

  let status: UserStatus
  let options: Options
  let session: Session

  init(_ status: UserStatus, _ options: Options, in session: Session) {
    (self.status, self.options, self.session) = (status, options, session)
  }

  func run() throws -> Output {
    try session.storage.trackSandboxOnce()
    let changes = ConnectionChanges(options.credentials, isStatusOnly: true, users: options.users, in: session)
    if options.resumes { return try resume(changes) }
    if options.users.file != nil { return try runForUsers(changes) }
    let selection = try ProviderGroups(options.selection, options.provider, listingAll: true, in: session)
      .select(options.credentials).limited(to: session.shard)
    var settings = RunSettings()
    (settings.isForced, settings.selectsMany) = (options.isForced, options.selection.isAll)
    if selection.ids.isEmpty, selection.faults.isEmpty {
      session.console.noteEmpty("No connection was selected; nothing to do.")
    }
    return try changes.run(
      ChangeSource(count: selection.ids.count, subject: { Subject(selection.ids[$0]) }) {
        request(Subject(selection.ids[$0]))
      },
      faults: selection.faults, settings
    ).output()
  }

  private func request(_ subject: Subject) -> SubjectChange.Request {
    var request = SubjectChange.Request(subject, .status(status))
    (request.options.isForced, request.mayBeCached, request.offersForce) = (options.isForced, true, true)
    return request
  }

  private func resume(_ changes: ConnectionChanges) throws -> Output {
    let run = try BatchJournal(session: session).resumable(overUsers: options.users.file == nil ? nil : true)
    let named = options.selection.isEmpty ? nil : try selected().map { (id: $0, target: TargetState.status(status)) }
    return try changes.resume(run, named)
  }

  private func runForUsers(_ changes: ConnectionChanges) throws -> Output {
    var settings = RunSettings()
    (settings.isForced, settings.offersForce) = (options.isForced, true)
    settings.selectsMany = options.selection.isAll
    return try changes.output(selected().map { (id: $0, target: .status(status)) }, settings)
  }

  /// The ids of the selected connections, for a run over users.
  private func selected() throws -> [String] {
    let selection = try options.selection.resolve(nil, in: session)
    // A run over users does not report invalid lines of stdin, so reject them here.
    if let fault = selection.faults.first { throw fault.problem }
    return try selection.ids.map { id in
      let name = QualifiedConnectionID(id.description, provider: options.provider)
      guard let connectID = name.connectID else {
        throw Problem(
          .usage, "'\(name)' is not a connection of IFTTT", hint: "With --users, only connections of IFTTT are changed."
        )
      }
      return connectID.description
    }
  }
}

extension Flag {
  /// The option that continues an unfinished run of the same command.
  static func resume(
    into path: @autoclosure @escaping OptionKeyPath<Options, Bool>, isAdvanced: Bool = false
  ) -> Flag {
    .toggle(
      "resume", into: path(), isAdvanced: isAdvanced,
      help: "Resume the last run of this command that was interrupted or failed")
  }

  /// The option of a command that sends nothing if its subject already has the state.
  static func forceChange(into path: @autoclosure @escaping OptionKeyPath<Options, Bool>) -> Flag {
    .toggle("force", into: path(), help: "Send the request even if nothing would change")
  }
}

extension Conflict {
  /// A resumed run is forced only if the original run was.
  static var forceWithResume: Conflict {
    Conflict("--resume uses the options of the original run: omit --force", options: ["force"])
  }
}

extension Subject {
  init(_ id: QualifiedConnectionID) {
    self.init(id: id.id, provider: id.provider.map(Subject.Provider.plugin) ?? .connect)
  }
}

/// `connections enable` and `connections disable`.
protocol ConnectionStatusCommand: Command where Options == EnableDisable.Options {
  static var status: UserStatus { get }
}

extension ConnectionStatusCommand {
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to \(name)") }
  static var reportFormats: [ReportFile.Format] { ReportFile.Format.common }
  static var shape: OutputSchema? { .changes(overUsers: true) }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try EnableDisable(status, options, in: session).run()
  }
}

enum ConnectionsEnable: ConnectionStatusCommand {
  static let status = UserStatus.enabled
  static let name = "enable"
  static let summary = "Enable connections"
  static var discussion: [String] {
    [
      """
      Enables disabled connections without a browser. It needs the user's token. A connection that was never enabled \
      is rejected: run 'connections activate ID' instead. A connection that was disabled before it was configured is \
      rejected too, because IFTTT does not enable it again: run 'connections activate ID --no-skip-config' instead.
      """,
      "If a connection is already enabled, nothing is sent unless --force is given.",
      EnableDisable.discussion,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections enable Kd7Rn2Qx --json", "enable a connection, and print the change as JSON"),
      ExampleSchema(
        "connections enable --status disabled --report junit=enabled.xml",
        "enable all disabled connections, and write a JUnit report"),
    ]
  }
}

enum ConnectionsDisable: ConnectionStatusCommand {
  static let status = UserStatus.disabled
  static let name = "disable"
  static let summary = "Disable connections"
  static var discussion: [String] {
    [
      """
      Disables connections for the user of the given token; 'connections enable' enables them again. A pending \
      connection cannot be enabled again, only activated, so the command prompts before it disables one. If a \
      connection is not enabled, nothing is sent unless --force is given.
      """,
      EnableDisable.discussion,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections disable Kd7Rn2Qx --dry-run", "show the request without sending it"),
      ExampleSchema("connections disable --stdin -o jsonl", "read ids from stdin, and print one line per result"),
      ExampleSchema("connections disable --all --yes", "disable all tracked connections without confirmation"),
    ]
  }
}
