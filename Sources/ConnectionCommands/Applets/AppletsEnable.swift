import Changes
import CommandLine
import IFTTT
import Session
import Store
import Text

/// `applets enable` and `applets disable`.
protocol AppletStatusCommand: Command where Options == AppletChange.Options {
  static var status: UserStatus { get }
}

extension AppletStatusCommand {
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The Applets to \(name)") }
  static var reportFormats: [ReportFile.Format] { ReportFile.Format.common }
  static var shape: OutputSchema? { .changes(overUsers: false) }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletChange(status: status, options: options, session: session).run()
  }
}

enum AppletsEnable: AppletStatusCommand {
  static let status = UserStatus.enabled
  static let name = "enable"
  static let summary = "Enable Applets"
  static var discussion: [String] {
    [
      """
      Enables disabled Applets without a browser. It needs the user's token, or the service key with --user-id, \
      because IFTTT returns the status only for a user. The status is fetched first: an Applet that was never enabled, \
      or whose status is unknown, is rejected.
      """,
      "If an Applet is already enabled, nothing is sent unless --force is given.",
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "applets enable vL2sJy9D --service lampost --json", "enable an Applet, and print the change as JSON")
    ]
  }
}

enum AppletsDisable: AppletStatusCommand {
  static let status = UserStatus.disabled
  static let name = "disable"
  static let summary = "Disable Applets"
  static var discussion: [String] {
    [
      """
      Disables Applets for one user. It needs the user's token, or the service key with --user-id. If an Applet is \
      already disabled or was never enabled, nothing is sent unless --force is given.
      """
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "applets disable mB3xWq7T --service lampost --json", "disable an Applet, and print the change as JSON")
    ]
  }
}

/// The shared behavior of `applets enable` and `applets disable`.
struct AppletChange {
  struct Options: CommandOptions {
    var ids: [AppletID] = []
    var service: String?
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false

    static var flags: [Flag<Options>] {
      [
        .service(into: \.service),
        .resume(into: \.resumes),
        .forceChange(into: \.isForced),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.appletID, into: \.ids, help: help)]
    }

    func check() throws(Conflict) {
      if ids.isEmpty, !resumes { throw Conflict("pass the ids of Applets, or --resume", isMissingArgument: true) }
      guard resumes else { return }
      if !ids.isEmpty { throw Conflict("--resume uses the Applets of the original run", options: ["resume"]) }
      if isForced { throw Conflict.forceWithResume }
    }
  }

  let status: UserStatus
  let options: Options
  let session: Session

  func run() throws -> Output {
    var settings = RunSettings()
    let source: ChangeSource
    if options.resumes {
      let run = try BatchJournal(session: session).resumable()
      (settings.resumed, settings.service, settings.isForced) = (run, run.service, run.isForced)
      source = try ConnectionChanges.source(of: run, in: session)
    } else {
      settings.isForced = options.isForced
      let credentials = session.credentials
      try credentials.require(
        [.service(options.service)] + credentials.needs(options.credentials, .userNamed),
        for: "'applets \(status == .enabled ? "enable" : "disable")'")
      settings.service = try session.credentials.service(options.service).description
      source = ChangeSource(
        options.ids.uniqued().map { id in
          var request = SubjectChange.Request(Subject(id: id.description, provider: .applets), .status(status))
          (request.options.isForced, request.offersForce) = (options.isForced, true)
          return request
        })
    }
    let slug = try session.credentials.service(settings.service)
    let providers = ChangeProviders { _ in try AppletSubjects(of: slug, options.credentials, in: session) }
    return try ChangeRun(source, at: providers, settings, in: session).output()
  }
}
