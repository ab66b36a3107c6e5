import HTTP
import Testing

@testable import IFTTT

/// The consequences of failures: whether they may pass, and whether they had an effect.
@Suite struct APIErrorTests {
  private static func answer(_ status: Int, _ code: String? = nil) -> APIError {
    .response(APIErrorResponse(status: status, code: code))
  }

  private static func transport(_ kind: TransportError.Kind) -> APIError {
    .http(.transport(TransportError(kind: kind, message: "", mayHaveArrived: false), tries: 1, origin: "https://x"))
  }

  /// A request that was not sent, because an earlier one did not reach the server.
  private static func skipped(_ kind: TransportError.Kind) -> APIError {
    let failure = TransportError(kind: kind, message: "", mayHaveArrived: false)
    return .http(.skipped(.unreachable(failure, origin: "https://x")))
  }

  @Test func transientFailuresAreRecognized() {
    for status in [408, 425, 429, 500, 502, 503, 504, 599] { #expect(Self.answer(status).retryability == .transient) }
    for kind in [TransportError.Kind.resolve, .connect, .broken, .timeout] {
      #expect(Self.transport(kind).retryability == .transient)
    }
    #expect(APIError.unreadable(status: 200, problem: "", beginning: "<html>").retryability == .transient)
    #expect(Self.skipped(.connect).retryability == .transient)
  }

  @Test func permanentFailuresAreRecognized() {
    for status in [400, 401, 403, 409, 422, 301, 418] { #expect(Self.answer(status).retryability == .permanent) }
    for kind in [TransportError.Kind.tls, .proxy, .unsupported, .tooLarge, .offline] {
      #expect(Self.transport(kind).retryability == .permanent)
    }
    #expect(APIError.needs(.user).retryability == .permanent)
    #expect(APIError.http(.redirect("elsewhere")).retryability == .permanent)
    #expect(APIError.http(.interrupted).retryability == .permanent)
    #expect(APIError.http(.skipped(.unauthorized(origin: "https://x"))).retryability == .permanent)
    #expect(Self.skipped(.tls).retryability == .permanent)
  }

  @Test func notFoundIsMissing() {
    #expect(Self.answer(404).retryability == .notFound)
    #expect(Self.answer(200, "not_found").retryability == .notFound)
  }

  @Test func contentIsRejectedByPermanentErrorsThatAreNotAboutTheSender() {
    for status in 400..<500 { #expect(Self.answer(status).rejectsContent == ![401, 408, 425, 429].contains(status)) }
    for status in [200, 301, 500, 503] { #expect(!Self.answer(status).rejectsContent) }
    #expect(!Self.transport(.tls).rejectsContent && !APIError.needs(.user).rejectsContent)
  }

  @Test func onlyARequestThatMayHaveArrivedMayHaveChangedSomething() {
    func transport(mayHaveArrived: Bool) -> APIError {
      .http(
        .transport(
          TransportError(kind: .timeout, message: "", mayHaveArrived: mayHaveArrived), tries: 1, origin: "https://x"))
    }
    #expect(transport(mayHaveArrived: false).leavesNothingChanged)
    #expect(!transport(mayHaveArrived: true).leavesNothingChanged)
    for status in [400, 401, 404, 408, 429] { #expect(Self.answer(status).leavesNothingChanged) }
    for status in [500, 503] { #expect(!Self.answer(status).leavesNothingChanged) }
    #expect(!APIError.unreadable(status: 200, problem: "", beginning: "").leavesNothingChanged)
    #expect(!APIError.http(.interrupted).leavesNothingChanged && APIError.needs(.user).leavesNothingChanged)
    // The redirect is the response to a request that arrived.
    #expect(!APIError.http(.redirect("elsewhere")).leavesNothingChanged)
    #expect(Self.skipped(.connect).leavesNothingChanged)
    #expect(APIError.http(.skipped(.unauthorized(origin: "https://x"))).leavesNothingChanged)
  }
}
