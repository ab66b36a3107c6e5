import Changes
import CommandLine
import IFTTT
import Session
import Store
import Text

/// The shared behavior of `applets enable` and `applets disable`.
struct AppletChange {
  struct Options: Sendable {
    var ids: [AppletID] = []
    var service: String?
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var reports: [ReportFile] = []

    static var flags: [Flag<Options>] {
      [
        .service(into: \.service),
        .toggle("resume", into: \.resumes, help: "Resume the last run of this command that was interrupted or failed"),
        .toggle("force", into: \.isForced, help: "Send the request even if nothing would change"),
        ReportFile.flag(into: \.reports),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.appletID, into: \.ids, help: help)]
    }

    func check() throws(Conflict) {
      if ids.isEmpty, !resumes { throw Conflict("pass the ids of Applets, or --resume", isLack: true) }
      guard resumes else { return }
      if !ids.isEmpty { throw Conflict("--resume uses the Applets of the original run", options: ["resume"]) }
      if isForced {
        throw Conflict("--resume uses the options of the original run: omit --force", options: ["force"])
      }
    }
  }

  static var shape: OutputSchema {
    var shape = OutputSchema.many(ChangeRow.self)
    shape.dryRun = { .plannedChanges(ofUsers: false) }
    return shape
  }

  let status: UserStatus
  let options: Options
  let session: Session

  private var purpose: String { "'\(session.path.joined(separator: " "))'" }

  func run() throws -> Output {
    var settings = RunSettings()
    settings.reports = try session.openReports(options.reports)
    var requests: [SubjectChange.Request]
    if options.resumes {
      let run = try BatchJournal(session: session).resumable()
      (settings.resumed, settings.service, settings.isForced) = (run, run.service, run.isForced)
      requests = try ConnectionRuns.requests(of: run, in: session)
    } else {
      settings.isForced = options.isForced
      settings.service = try session.serviceSlug(options.service, for: purpose).description
      requests = unique(options.ids).map { id in
        var request = SubjectChange.Request(Subject(id: id.description, provider: .applets), .status(status))
        (request.options.isForced, request.offersForce) = (options.isForced, true)
        return request
      }
    }
    let slug = try session.serviceSlug(settings.service, for: purpose)
    let providers = ChangeProviders { _ in try AppletSubjects(of: slug, options.credentials, for: purpose, in: session)
    }
    return try ChangeRun(ChangeSource(requests), at: providers, settings, in: session).output()
  }

  private func unique(_ ids: [AppletID]) -> [AppletID] {
    var seen: Set<AppletID> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
