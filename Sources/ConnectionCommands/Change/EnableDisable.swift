import API
import Arguments
import Batch
import CommandContext
import Connect
import HTTP
import Hints
import PluginHost
import PluginProtocol
import Store
import Time
import World

/// The implementation that `connections enable` and `connections disable` share.
struct EnableDisable {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var report: ReportFile?
    var provider: ProviderName?

    static var flags: [Flag<Options>] {
      .lifted(ConnectionSelection.flags, into: \.selection) + [
        .toggle(
          "resume", into: \.resumes, help: "Go on with the last run of this command that was interrupted or failed"),
        .toggle("force", into: \.isForced, help: "Send the request even where nothing would change"),
        ReportFile.flag(into: \.report),
        .value("provider", .providerName, into: \.provider, help: "The ids are this provider's, as in NAME:ID"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, into: \.selection.ids, help: help)]
    }

    func check() throws(Conflict) {
      if resumes, isForced {
        throw Conflict("--resume goes on as the run began: leave --force out", options: ["force"])
      }
      try selection.check(["all", "status", "stdin", "resume"], beside: resumes)
    }
  }

  static let discussion = """
    Of many, those that fail do not stop the others. What is to be sent is written down first: after Ctrl-C, a crash or \
    failures --resume goes on where the run ended, and 'connections undo' puts back what it changed. --all asks first, or \
    needs --yes. With --dry-run each status is shown before and after, and nothing is changed.
    """

  let change: ConnectClient.Change
  let options: Options
  let session: Session

  init(_ change: ConnectClient.Change, _ options: Options, in session: Session) {
    (self.change, self.options, self.session) = (change, options, session)
  }

  var aim: UserStatus { change == .enable ? .enabled : .disabled }

  func run() throws -> Output {
    try session.trackSandboxOnce()
    let provider = options.resumes ? nil : options.provider
    let groups = try ProviderGroups(options.selection, provider, in: session).groups
    if groups.count > 1, groups.contains(where: { $0.name == nil }) {
      throw Problem(
        .usage, "these ids are IFTTT's and a provider's",
        hint: "Change them in two runs: only what is changed at IFTTT can be resumed and undone.")
    }
    let changes = try groups.map { try $0.provider.change($0.selection, self) }
    if session.options.isDryRun { return Output.joined(try changes.map { try $0.dryRun() }) }
    let report = try session.openReport(options.report)
    return try changes.map { try $0.prepared() }.output(report, in: session)
  }
}

extension Problem {
  /// The error for a connection that was never enabled, which no request can enable.
  static func neverEnabled(_ item: JournalItem, _ status: Connection.Status) -> Problem? {
    guard item.action == ConnectClient.Change.enable.rawValue, status == .neverEnabled else { return nil }
    return Problem(
      .neverEnabled, "connection '\(item.id)' was never enabled",
      reason: "the first time a user switches a connection on in a browser; no API call can do it",
      hint: "Run \(ifttt: "connections activate \(item.id)").")
  }
}
