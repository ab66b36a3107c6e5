package import HTTP
package import IFTTT
package import Session
import Text

/// The Applets of one service for one user.
package final class AppletSubjects: SubjectProvider {
  package let canEnable = true
  private let client: AppletsClient

  package init(of service: ServiceSlug, _ credentials: CredentialOptions, in session: Session) throws {
    let credential = try session.credentials.locate(credentials, .userNamed)
    client = AppletsClient(caller: try session.network.caller(.api, credential), service: service)
  }

  package func read(
    _ subject: Subject, isFresh: Bool, then: @escaping (Result<SubjectState, Problem>) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = AppletID(parsing: subject.id) else { return .end }
    return client.show(id).chain { result in
      switch result {
      case .success(let fetched): try then(.success(SubjectState(fetched.applet)))
      case .failure(let failure): try then(.failure(Problem(failure, subject: subject.noun)))
      }
    }
  }

  package func send(
    _ step: ChangeStep, to subject: Subject, starting: @escaping () throws -> Void,
    then: @escaping (SubjectChange.Event) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = AppletID(parsing: subject.id), let change = step.statusSwitch else { return .end }
    return try client.change(change, id).chain(starting: starting) { result in
      switch result {
      case .success(let fetched): try then(.accepted(fetched.map { SubjectState($0.applet) }))
      case .failure(let failure):
        try then(.failed(Problem(failure, subject: subject.noun), isUnchanged: failure.leavesNothingChanged))
      }
    }
  }

  package func requests(_ steps: [ChangeStep], of subject: Subject) throws -> [PlannedStep] {
    guard let id = AppletID(parsing: subject.id) else { return [] }
    return try steps.compactMap { step in
      try step.statusSwitch.map { .http(PlannedRequest(try client.change($0, id).request)) }
    }
  }
}

extension SubjectState {
  fileprivate init(_ applet: Applet) { self.init(status: applet.status, name: applet.name) }
}
