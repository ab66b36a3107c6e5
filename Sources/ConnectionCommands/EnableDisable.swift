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
    var reports: [ReportFile] = []
    var provider: ProviderName?

    static var flags: [Flag<Options>] {
      .lifted(ConnectionSelection.flags, into: \.selection) + [
        .toggle(
          "resume", into: \.resumes, help: "Resume the last run of this command that was interrupted or failed"),
        .toggle("force", into: \.isForced, help: "Send the request even if nothing would change"),
        ReportFile.flag(into: \.reports),
        .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, into: \.selection.ids, help: help)]
    }

    func check() throws(Conflict) {
      if resumes, isForced {
        throw Conflict("--resume uses the options of the original run: omit --force", options: ["force"])
      }
      try selection.check(["all", "status", "stdin", "resume"], beside: resumes)
    }
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
    let provider = options.resumes ? nil : options.provider
    let groups = try ProviderGroups(options.selection, provider, in: session).groups
    if groups.count > 1, groups.contains(where: { $0.name == nil }) {
      throw Problem(
        .usage, "cannot change connections of IFTTT and of a provider in one run",
        hint: "Use one run for each: only changes at IFTTT can be resumed and undone.")
    }
    let request = ChangeRequest(
      change: change, credentials: options.credentials, isForced: options.isForced, resumes: options.resumes)
    let changes = try groups.map { try $0.provider.change($0.selection, request) }
    if session.options.isDryRun { return Output.joined(try changes.map { try $0.dryRun() }) }
    let report = try session.openReports(options.reports)
    return try changes.map { try $0.prepared() }.output(report, in: session)
  }
}
