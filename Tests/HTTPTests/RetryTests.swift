import HTTP
import Testing
import World

/// The conditions for a retry, and the wait before it.
@Suite struct RetryTests {
  static let now = Timestamp(milliseconds: 784_111_777_000)  // Sun, 06 Nov 1994 08:49:37 GMT

  func wait(
    after result: Result<Response, TransportError>, repeatable: Bool = true, tries: Int = 1,
    remaining: Duration = .seconds(30), random: Double = 0.5, retries: Int = 3
  ) -> Duration? {
    RetryPolicy(retries: retries).wait(
      after: RetryPolicy.Attempt(
        result, isRepeatable: repeatable, tries: tries, remaining: remaining, now: RetryTests.now, random: random))
  }

  func answer(_ status: Int, _ fields: (String, String)...) -> Result<Response, TransportError> {
    .success(Response(status: status, headers: fields.map { HeaderField($0.0, $0.1) }))
  }

  func failed(_ kind: TransportError.Kind, arrived: Bool) -> Result<Response, TransportError> {
    .failure(TransportError(kind: kind, message: "", mayHaveArrived: arrived))
  }

  @Test(arguments: [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 501, 505])
  func finalStatusIsNotRetried(_ status: Int) { #expect(wait(after: answer(status)) == nil) }

  @Test(arguments: [429, 502, 503, 504])
  func transientStatusIsRetriedIfIdempotent(_ status: Int) {
    #expect(wait(after: answer(status)) == .milliseconds(250))
    #expect(wait(after: answer(status), repeatable: false) == nil)
  }

  @Test(arguments: [TransportError.Kind.resolve, .connect, .broken])
  func transientFailureIsRetried(_ kind: TransportError.Kind) {
    #expect(wait(after: failed(kind, arrived: true)) == .milliseconds(250))
    #expect(wait(after: failed(kind, arrived: false), repeatable: false) == .milliseconds(250))
    #expect(wait(after: failed(kind, arrived: true), repeatable: false) == nil)
  }

  @Test(arguments: [TransportError.Kind.tls, .timeout, .tooLarge, .proxy, .unsupported, .offline])
  func permanentFailureIsNotRetried(_ kind: TransportError.Kind) {
    #expect(wait(after: failed(kind, arrived: false)) == nil)
  }

  @Test(arguments: [(0, 1, false), (1, 1, true), (1, 2, false), (3, 3, true), (3, 4, false)])
  func retriesAreLimited(_ retries: Int, _ tries: Int, _ again: Bool) {
    #expect((wait(after: answer(503), tries: tries, random: 0, retries: retries) == .zero) == again)
  }

  @Test(arguments: [(1, 500), (2, 1000), (3, 2000), (4, 4000), (5, 8000), (6, 10_000), (60, 10_000), (600, 10_000)])
  func waitDoublesUpToCeiling(_ tries: Int, _ ceiling: Int) {
    let (all, half) = (Duration.milliseconds(ceiling), Duration.milliseconds(ceiling / 2))
    #expect(wait(after: answer(503), tries: tries, random: 1, retries: 1000) == all)
    #expect(wait(after: answer(503), tries: tries, random: 0.5, retries: 1000) == half)
    #expect(wait(after: answer(503), tries: tries, random: 0, retries: 1000) == .zero)
  }

  @Test(arguments: [429, 503, 502, 504])
  func waitIsNeverShorterThanRetryAfter(_ status: Int) {
    #expect(wait(after: answer(status, ("retry-after", "7"))) == .seconds(7))
    #expect(wait(after: answer(status, ("Retry-After", "0")), random: 1) == .milliseconds(500))
  }

  @Test func waitNeverExceedsRemainingTime() {
    #expect(wait(after: answer(503, ("Retry-After", "30"))) == nil)
    #expect(wait(after: answer(503, ("Retry-After", "29"))) == .seconds(29))
    #expect(wait(after: answer(503), remaining: .milliseconds(250)) == nil)
    #expect(wait(after: answer(503), remaining: .milliseconds(251)) == .milliseconds(250))
    #expect(wait(after: answer(503), remaining: .zero, random: 0) == nil)
    #expect(wait(after: answer(503), remaining: .seconds(-1), random: 0) == nil)
  }

  @Test(
    arguments: [
      ("5", nil, 5000), ("0", nil, 0), ("99999999999999999999999", nil, 86_400_000),
      ("Sun, 06 Nov 1994 08:49:47 GMT", nil, 10_000), ("Sun, 06 Nov 1994 08:49:27 GMT", nil, 0),
      ("Sun, 06 Nov 1994 10:00:05 GMT", "Sun, 06 Nov 1994 10:00:00 GMT", 5000),
      ("Sun, 06 Nov 1994 08:49:47 GMT", "nonsense", 10_000),
      (" 5 ", nil, 5000), ("", nil, nil), (" ", nil, nil), ("-1", nil, nil), ("1.5", nil, nil), ("soon", nil, nil),
      ("٣", nil, nil),
    ] as [(String, String?, Int?)])
  func parsesRetryAfter(_ text: String, _ date: String?, _ milliseconds: Int?) {
    var response = Response(status: 503, headers: [HeaderField("Retry-After", text)])
    if let date { response.headers.append(HeaderField("Date", date)) }
    #expect(response.retryAfter(now: RetryTests.now) == milliseconds.map { .milliseconds($0) })
  }
}
