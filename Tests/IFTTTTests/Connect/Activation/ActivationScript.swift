import HTTP
import IFTTT
import Testing
import Text

/// An activation as a script: events, and the actions expected for each.
struct ActivationScript {
  private var flow: ActivationFlow

  init(_ request: ActivationFlow.ActivationRequest) { flow = ActivationFlow(request) }

  mutating func receives(
    _ event: ActivationFlow.Event, _ actions: ActivationFlow.Action...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(flow.receive(event) == actions, sourceLocation: sourceLocation)
  }

  /// A script in which everything before the redirect has happened.
  static func waiting(
    _ request: ActivationFlow.ActivationRequest = .user, before status: UserStatus = .neverEnabled
  ) -> ActivationScript {
    var script = ActivationScript(request)
    _ = script.flow.receive(.begun)
    _ = script.flow.receive(.loaded(status))
    if request.page == .sdk { _ = script.flow.receive(request.level == .user ? .login("kai") : .account(true)) }
    let actions = script.flow.receive(.prepared)
    #expect(actions.last == .wait)
    return script
  }
}

extension ActivationFlow.ActivationRequest {
  typealias ActivationRequest = ActivationFlow.ActivationRequest

  static let user = ActivationRequest(page: .sdk, level: .user)
  static let stranger = ActivationRequest(page: .sdk, level: .anonymous).with(\.email, .kai)
  static let service = ActivationRequest(page: .connect, level: .service).with(\.email, .kai).with(
    \.hasServiceKey, true)

  func with<Value>(_ path: WritableKeyPath<ActivationRequest, Value>, _ value: Value) -> ActivationRequest {
    var copy = self
    copy[keyPath: path] = value
    return copy
  }
}

extension EmailAddress {
  static let kai: EmailAddress = {
    guard let kai = EmailAddress(parsing: "kai@mail.test") else { preconditionFailure("a valid address") }
    return kai
  }()
}

extension APIError {
  static func status(_ status: Int) -> APIError { .response(APIErrorResponse(status: status)) }
  static let lost = APIError.http(
    .transport(TransportError(kind: .connect, message: "refused", mayHaveArrived: false), tries: 1, origin: "o"))
}
