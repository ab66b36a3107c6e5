import API
import HTTP
import Testing

@testable import Commands

/// Which failures another look may mend.
@Suite struct SightTests {
  private static func answer(_ status: Int, _ code: String? = nil) -> APIFailure {
    .answer(APIError(status: status, code: code))
  }

  private static func transport(_ kind: TransportFailure.Kind) -> APIFailure {
    .http(.transport(TransportFailure(kind: kind, message: "", mayHaveArrived: false), tries: 1, origin: "https://x"))
  }

  @Test func passingFailuresPass() {
    for status in [408, 429, 500, 502, 503, 504, 599] { #expect(Self.answer(status).prospect == .passing) }
    for kind in [TransportFailure.Kind.resolve, .connect, .broken, .timeout] {
      #expect(Self.transport(kind).prospect == .passing)
    }
    #expect(APIFailure.unreadable(status: 200, problem: "", beginning: "<html>").prospect == .passing)
  }

  @Test func lastingFailuresLast() {
    for status in [400, 401, 403, 409, 422, 301, 418] { #expect(Self.answer(status).prospect == .lasting) }
    for kind in [TransportFailure.Kind.tls, .proxy, .unsupported, .tooLarge, .offline] {
      #expect(Self.transport(kind).prospect == .lasting)
    }
    #expect(APIFailure.needs(.user).prospect == .lasting)
    #expect(APIFailure.http(.redirect("elsewhere")).prospect == .lasting)
    #expect(APIFailure.http(.interrupted).prospect == .lasting)
  }

  @Test func whatIsNotThereIsMissing() {
    #expect(Self.answer(404).prospect == .missing)
    #expect(Self.answer(200, "not_found").prospect == .missing)
  }
}
