package import HTTP
package import IFTTT
import JSON
import PluginProtocol
package import Plugins
package import Session
import Store

/// The connections of a plugin, which handles one request at a time.
package final class PluginSubjects: SubjectProvider {
  private let plugin: InstalledProvider
  private let session: Session
  private let client: ProviderClient

  package init(_ plugin: InstalledProvider, in session: Session) {
    (self.plugin, self.session) = (plugin, session)
    client = ProviderClient({ plugin }, in: session)
  }

  package var canEnable: Bool { plugin.can(.enableConnection) }

  package func read(
    _ subject: Subject, isFresh: Bool, then: @escaping (Result<SubjectState, Problem>) throws -> RequestChain
  ) throws -> RequestChain {
    let result: Result<SubjectState, Problem>
    do { result = .success(try state(of: subject, isFresh: isFresh)) } catch {
      let problem = Problem.from(error)
      if problem.code == .interrupted { throw problem }
      result = .failure(problem)
    }
    return try then(result)
  }

  private func state(of subject: Subject, isFresh: Bool) throws -> SubjectState {
    guard plugin.can(.showConnection) || plugin.can(.listConnections) else { return .unreadable }
    // A dry run starts no plugin, so only its cached list is known.
    if session.options.isDryRun || !plugin.can(.showConnection) {
      let list = try ProviderList(of: plugin, maxAge: isFresh ? .zero : session.options.maxAge, in: session)
      try list.refresh()
      if let problem = list.problem { throw problem }
      if let row = list.rows.first(where: { $0.id == subject.id }) { return SubjectState(row) }
      if session.options.isDryRun { return .unreadable }
      throw Problem(.notFound, "provider '\(plugin.name)' has no \(subject.noun)")
    }
    let result = try client.request(.showConnection, ["id": Value(subject.id)])
    return SubjectState(try plugin.row(result["connection"] ?? .null))
  }

  package func send(
    _ step: ChangeStep, to subject: Subject, starting: @escaping () throws -> Void,
    then: @escaping (SubjectChange.Event) throws -> RequestChain
  ) throws -> RequestChain {
    guard let (capability, params) = step.request(for: subject) else { return .end }
    do { try plugin.require(capability) } catch { return try then(.failed(error, isUnchanged: true)) }
    try starting()
    do {
      let result = try client.request(capability, params)
      var state =
        if case .set = step { SubjectState(try plugin.row(result["connection"] ?? .null)) } else {
          result["status"]?.string.flatMap(UserStatus.init(rawValue:)).map { SubjectState(status: $0) }
        }
      state?.previous = result["previous_status"]?.string.flatMap(UserStatus.init(rawValue:))
      return try then(.accepted(state))
    } catch {
      let problem = Problem.from(error)
      if problem.code == .interrupted { throw problem }
      // A plugin that is still running has rejected the request; a plugin that exited may have changed something.
      return try then(.failed(problem, isUnchanged: client.isRunning && problem.code != .timeout))
    }
  }

  package func requests(_ steps: [ChangeStep], of subject: Subject) -> [PlannedStep] {
    steps.compactMap { step in
      step.request(for: subject).map { .plugin(method: $0.capability.rawValue, params: $0.params.json) }
    }
  }

  package func willChange(_ subjects: [Subject]) throws {
    try ProviderCache(session.store, profile: session.profile.name).expire(plugin.name.description)
  }
}

extension SubjectState {
  fileprivate init(_ row: ProvidedRow) {
    self.init(status: UserStatus(rawValue: row.status) ?? .unknown, name: row.name)
  }
}

extension ChangeStep {
  fileprivate func request(for subject: Subject) -> (capability: Capability, params: Value)? {
    let id = Value(subject.id)
    switch self {
    case .enable: return (.enableConnection, ["id": id, "options": .emptyObject])
    case .disable: return (.disableConnection, ["id": id, "options": .emptyObject])
    case .set(let values): return (.configureConnection, ["id": id, "values": Value(JSONValue.object(values))])
    case .configure: return nil
    }
  }
}
