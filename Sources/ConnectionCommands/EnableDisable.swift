import API
import Arguments
import Batch
import CommandContext
import Connect
import DesiredStateCommands
import HTTP
import Hints
import PluginHost
import PluginProtocol
import Store
import Time
import Users
import World

/// The implementation that `connections enable` and `connections disable` share.
struct EnableDisable {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var reports: [ReportFile] = []
    var provider: ProviderName?
    var users = UsersOptions()

    static var flags: [Flag<Options>] {
      .lifted(ConnectionSelection.flags, into: \.selection) + [
        .toggle(
          "resume", into: \.resumes, help: "Resume the last run of this command that was interrupted or failed"),
        .toggle("force", into: \.isForced, help: "Send the request even if nothing would change"),
        ReportFile.flag(into: \.reports),
        .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
    }
    /// With users, `--resume` continues with the same connections and users.
    private func checkForUsers() throws(Conflict) {
      try selection.check()
      var others: [String] = []
      if isForced { others.append("force") }
      // The status in the cache is that of the profile's own user.
      if !selection.statuses.isEmpty { others.append("status") }
      if case .plugin? = provider { others.append("provider") }
      try users.check(credentials, without: others)
    }

    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, into: \.selection.ids, help: help)]
    }

    func check() throws(Conflict) {
      guard users.file == nil else { return try checkForUsers() }
      try users.check()
      if resumes, users.shards.choice != nil {
        throw Conflict("--resume uses the connections of the original run: omit --shard", options: ["shard"])
      }
      if resumes, isForced {
        throw Conflict("--resume uses the options of the original run: omit --force", options: ["force"])
      }
      try selection.check(["all", "status", "stdin", "resume"], beside: resumes)
    }
  }

  static var shape: OutputSchema {
    var shape = OutputSchema.many(ChangeRow<ConnectionID>.self)
    shape.alternative = { .usersChanges }
    return shape
  }

  static let discussion = """
    One failure does not stop the rest. Changes are journaled before they are sent: resume with --resume after Ctrl-C, \
    a crash or failures, and revert with 'connections undo'. --all prompts for confirmation unless --yes is given. \
    With --dry-run, each status before and after is shown, and nothing is changed.
    """

  let change: ConnectClient.Change
  let options: Options
  let session: Session

  init(_ change: ConnectClient.Change, _ options: Options, in session: Session) {
    (self.change, self.options, self.session) = (change, options, session)
  }

  func run() throws -> Output {
    try session.storage.trackSandboxOnce()
    try options.users.apply(to: session)
    if options.users.file != nil { return try runForUsers() }
    let shard = try options.users.shards.shard(in: session)
    let provider = options.resumes ? nil : options.provider
    let groups = try ProviderGroups(options.selection, provider, in: session).groups
    if groups.count > 1, groups.contains(where: { $0.name == nil }) {
      throw Problem(
        .usage, "cannot change connections of IFTTT and of a provider in one run",
        hint: "Use one run for each: only changes at IFTTT can be resumed and undone.")
    }
    let request = ChangeRequest(
      change: change, credentials: options.credentials, isForced: options.isForced, resumes: options.resumes,
      shard: shard)
    let changes = try groups.map { try $0.provider.change($0.selection, request) }
    if session.options.isDryRun { return Output.joined(try changes.map { try $0.dryRun() }) }
    let report = try session.openReports(options.reports, of: shard)
    return try changes.map { try $0.prepared() }.output(report, in: session)
  }

  private func runForUsers() throws -> Output {
    let selection = try options.selection.resolve(nil, in: session)
    // A batch of its own would report it.
    if let fault = selection.faults.first { throw fault.problem }
    return try UserStateChanges(options.users, options.credentials, options.reports, in: session)
      .output(change == .enable ? .enabled : .disabled, selection.ids, resumes: options.resumes)
  }
}
