package import HTTP
package import IFTTT
package import Session
import Text

/// The Applets of a service, which are changed for one user.
package final class AppletSubjects: SubjectProvider {
  package let canEnable = true
  private let client: AppletsClient

  /// - Parameter purpose: the command, such as `'applets enable'`.
  package init(
    of service: ServiceSlug, _ credentials: CredentialOptions, for purpose: String, in session: Session
  ) throws {
    let authentication = try Self.authentication(credentials, for: purpose, in: session)
    client = AppletsClient(
      caller: try session.network.caller(.api, credentials, as: authentication), service: service)
  }

  /// The authentication, which must identify a user: by a token, or by a user id with the service key
  /// (docs/api/applets.md §1).
  private static func authentication(
    _ credentials: CredentialOptions, for purpose: String, in session: Session
  ) throws -> Authentication {
    let known = try session.credentials.authentication(credentials)
    switch known {
    case .user, .service(_, .some): return known
    case .anonymous: throw session.credentials.missing(.userToken, for: purpose)
    case .service(_, nil):
      throw Problem(
        .credentialsMissing, "\(purpose) with a service key needs the user's id",
        hint: "Pass --user-id ID or set IFTTT_USER_ID, or pass a user token with --user-token-file FILE.")
    }
  }

  package func read(
    _ subject: Subject, isFresh: Bool, then: @escaping (Result<SubjectState, Problem>) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = AppletID(parsing: subject.id) else { return .end }
    return client.show(id).chain { result in
      switch result {
      case .success(let answer): try then(.success(SubjectState(answer.applet)))
      case .failure(let failure): try then(.failure(Problem(failure, subject: subject.noun)))
      }
    }
  }

  package func send(
    _ step: ChangeStep, to subject: Subject, starting: @escaping () throws -> Void,
    then: @escaping (SubjectChange.Event) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = AppletID(parsing: subject.id), let change = step.appletChange else { return .end }
    return try client.change(change, id).chain(starting: starting) { result in
      switch result {
      case .success(let answer): try then(.accepted(answer.map { SubjectState($0.applet) }))
      case .failure(let failure):
        try then(.failed(Problem(failure, subject: subject.noun), isUnchanged: failure.leavesNothingChanged))
      }
    }
  }

  package func requests(_ steps: [ChangeStep], of subject: Subject) throws -> [PlannedStep] {
    guard let id = AppletID(parsing: subject.id) else { return [] }
    return try steps.compactMap { step in
      try step.appletChange.map { .http(PlannedRequest(try client.change($0, id).request)) }
    }
  }
}

extension SubjectState {
  fileprivate init(_ applet: Applet) { self.init(status: applet.status, name: applet.name) }
}

extension ChangeStep {
  fileprivate var appletChange: AppletsClient.Change? {
    switch self {
    case .enable: .enable
    case .disable: .disable
    case .configure, .set: nil
    }
  }
}
