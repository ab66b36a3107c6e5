import HTTP
package import IFTTT
import JSON
import Plugins
package import Session
package import Store
import Text
import World

/// Changes to connections of IFTTT and of plugins, for the profile's own user or for the users of a file.
package struct ConnectionChanges {
  private let session: Session
  private let credentials: CredentialOptions
  private let isStatusOnly: Bool
  private let users: UsersOptions

  /// - Parameter isStatusOnly: whether only statuses are changed. The user's token is enough for that.
  package init(
    _ credentials: CredentialOptions, isStatusOnly: Bool, users: UsersOptions = UsersOptions(), in session: Session
  ) {
    (self.credentials, self.isStatusOnly, self.users, self.session) = (credentials, isStatusOnly, users, session)
  }

  package func providers(isOverUsers: Bool = false) -> ChangeProviders {
    ChangeProviders { provider in
      switch provider {
      case .connect:
        return try ConnectSubjects(
          credentials, isStatusOnly: isStatusOnly, isOverUsers: isOverUsers, in: session)
      case .plugin(let name): return PluginSubjects(try session.plugins.provider(name), in: session)
      case .applets: throw Problem(.usage, "an Applet is not a connection")
      }
    }
  }

  /// Creates a run that changes the connections of the profile's own user to their targets.
  package func run(
    _ source: ChangeSource, faults: [BatchFault] = [], _ settings: RunSettings
  ) -> ChangeRun {
    ChangeRun(source, faults: faults, at: providers(), settings, in: session)
  }

  /// Changes the connections of each user of a file to the same targets, and returns the output.
  package func output(
    _ targets: [(id: String, target: TargetState)], _ settings: RunSettings
  ) throws -> Output {
    var settings = settings
    settings.users = JournaledUsers(file: try usersPath(), targets: Self.journalText(of: targets))
    let finalSettings = settings
    let run = UserChangeRun(
      at: providers(isOverUsers: true), settings, count: try users.count(in: session),
      unread: .perUser(targets.count), in: session,
      over: { try UserRun(users, in: session) },
      requests: { user in try requests(of: user, targets, finalSettings) })
    return try run.output()
  }

  /// The changes to a user's connections, except for changes that the resumed run has finished.
  private func requests(
    of user: UserEntry, _ targets: [(id: String, target: TargetState)], _ settings: RunSettings
  ) throws -> [SubjectChange.Request] {
    var requests: [SubjectChange.Request] = []
    for (id, target) in targets {
      var request = SubjectChange.Request(Subject(id: id, userID: user.userID), target)
      (request.options.isForced, request.offersForce) = (settings.isForced, settings.offersForce)
      request.allowsRemoval = settings.allowsRemoval
      if let resumed = settings.resumed {
        let recorded = try JournalStore(session.store).item(
          of: resumed.number, user: user.userID, provider: nil, id: id)
        if let recorded {
          guard recorded.item.isUnfinished else { continue }
          request.earlier = SubjectChange.Earlier(recorded.item, at: recorded.position)
        }
      }
      requests.append(request)
    }
    return requests
  }

  private func usersPath() throws -> String? {
    guard let file = users.file, file != "-" else { return nil }
    return try session.world.absolutePath(file)
  }

  private static func journalText(of targets: [(id: String, target: TargetState)]) -> String {
    JSONValue.array(targets.map { ["id": .string($0.id), "target": $0.target.json] }).text
  }

  /// Resumes a run.
  /// - Parameter targets: the targets of a run over users, if the command line repeats them; nil to use the recorded
  ///   ones.
  package func resume(_ run: JournalRun, _ targets: [(id: String, target: TargetState)]?) throws -> Output {
    var settings = RunSettings()
    (settings.isForced, settings.allowsRemoval, settings.resumed) = (run.isForced, run.allowsRemoval, run)
    guard run.isOverUsers else {
      return try self.run(Self.source(of: run, in: session), settings).output()
    }
    var changes = self
    if changes.users.file == nil {
      guard let file = run.usersFile else {
        throw Problem(
          .usage, "the users of the run came from stdin",
          hint: "Pass them again: \(ifttt: "\(command: session.path) --resume --users -").")
      }
      changes = ConnectionChanges(credentials, isStatusOnly: isStatusOnly, users: users.reading(file), in: session)
    }
    guard let targets = targets ?? run.recordedTargets else {
      throw Problem(
        .usage, "the run was recorded by an earlier version",
        hint: "Add --resume to the command that started it: '\(run.commandLine)'.")
    }
    return try changes.output(targets, settings)
  }

  /// The unfinished changes of a run.
  package static func source(of run: JournalRun, in session: Session) throws -> ChangeSource {
    var count = 0
    let unfinished = try RecordedItems(of: run.number, in: session.store) { position, item in
      count += 1
      guard item.isUnfinished else { return false }
      _ = try request(of: item, at: position, in: run)
      return true
    }
    session.console.noteToPerson("Resuming '\(run.commandLine)': \(unfinished.count) of \(count) left.")
    return ChangeSource(unfinished) { position, item in try request(of: item, at: position, in: run) }
  }

  /// The unfinished change of a run of `configure`; nil if it is finished.
  /// - Throws: `conflict` if the run is about another connection.
  package static func request(
    of run: JournalRun, for name: String, in session: Session
  ) throws -> SubjectChange.Request? {
    let source = try source(of: run, in: session)
    guard source.count > 0 else { return nil }
    let request = try source[0]
    let subject = request.subject
    guard subject.name == name else {
      throw Problem(
        .conflict, "the unfinished run of 'configure' is about \(subject.noun)",
        hint: "Resume it: \(ifttt: "configure \(subject.name) --resume").")
    }
    return request
  }

  private static func request(
    of item: JournalItem, at position: Int, in run: JournalRun
  ) throws -> SubjectChange.Request {
    guard let subject = Subject(item), let target = item.recordedTarget else {
      throw Problem(
        .refused, "the target of '\(item.id)' is unknown", reason: "a later version of this program recorded it",
        hint: "Resume the run with that version.")
    }
    var request = SubjectChange.Request(subject, target)
    (request.options.isForced, request.allowsRemoval) = (run.isForced, run.allowsRemoval)
    request.earlier = SubjectChange.Earlier(item, at: position)
    return request
  }
}

extension SubjectChange.Earlier {
  package init(_ item: JournalItem, at position: Int) {
    self.init(
      before: item.recordedBefore, wasSent: item.state == .sent || item.isChanged, position: position)
  }
}

extension JournalRun {
  /// The targets of a run over users; nil if they were not recorded or cannot be parsed.
  fileprivate var recordedTargets: [(id: String, target: TargetState)]? {
    guard let list = targets.flatMap({ try? JSONValue(parsing: Array($0.utf8)) })?.array else { return nil }
    var recorded: [(id: String, target: TargetState)] = []
    for entry in list {
      guard let id = entry["id"]?.string, let json = entry["target"],
        let target = TargetState(json, at: "connection '\(id)'")
      else { return nil }
      recorded.append((id, target))
    }
    return recorded
  }
}
