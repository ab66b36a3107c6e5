import HTTP
import Support
import Testing
import Text
import World

/// A credential in the path of a URL, as the Webhooks service has it, is shown and recorded nowhere.
@Suite struct PathSecretTests {
  private static let long = "kEy0123456789-abcdefghijklmn_opq"
  /// Too short to be replaced wherever it occurs, so only its position identifies it.
  private static let short = "k1/é"

  private func url(_ key: String) throws -> WebURL {
    try WebURL(parsing: "https://maker.test/base").appending("trigger", "door", "with", "key")
      .appending(secret: try #require(Secret(parsing: key)))
  }

  @Test func isSentEncodedAndShownMasked() throws {
    let url = try url(Self.short).with([QueryItem("a", "1")])
    #expect(url.wire == "https://maker.test/base/trigger/door/with/key/k1%2F%C3%A9?a=1")
    #expect(url.redacted == "https://maker.test/base/trigger/door/with/key/…?a=1")
    #expect(try self.url(Self.long).redacted == "https://maker.test/base/trigger/door/with/key/kEy0…_opq")
    #expect(Request(.post, url).secrets.map(\.revealed) == [Self.short])
  }

  @Test func otherSegmentsAreUnchanged() throws {
    let url = try WebURL(parsing: "https://h/key").appending("a").appending(secret: try #require(Secret(parsing: "e")))
    #expect(url.redacted == "https://h/key/a/…")
  }

  @Test func isMaskedInTheTraceAndInFailures() throws {
    let clock = FakeClock()
    let transport = ScriptedTransport(
      answers: [
        { request in
          .failure(TransportError(kind: .connect, message: "cannot reach \(request.url.wire)", mayHaveArrived: false))
        }
      ])
    let client = HTTPClient(
      transport: transport, world: makeWorld(clock: clock), policy: HTTPClient.Policy(retries: 0))
    var shown: [String] = []
    client.trace = { shown.append($0) }
    do { _ = try client.send(Request(.post, try url(Self.long))) } catch { shown.append("\(error)") }
    #expect(shown.first == "> POST https://maker.test/base/trigger/door/with/key/kEy0…_opq")
    #expect(shown.count == 3)
    for line in shown { #expect(!line.contains("0123456789"), "\(line)") }
  }

  @Test(arguments: [long, short]) func isReplacedInARecordingAndFoundInItsReplay(_ key: String) throws {
    var recorded: [RecordedExchange] = []
    let transport = RecordingTransport(
      ScriptedTransport(Response(status: 401, body: Array("no \(key) at /trigger/a/with/key/\(key)".utf8))),
      clock: FrozenClock(from: .init(milliseconds: 0))
    ) { recorded.append($0) }
    transport.start(Request(.post, try url(key), body: []), as: 1, limit: .seconds(1))
    _ = transport.wait(atMost: .zero, orReadable: -1)
    let written = try #require(recorded.first)
    #expect(!written.request.url.contains("k1") && !written.request.url.contains("0123456789"))
    if key == Self.long { #expect(!String(decoding: written.bytes, as: UTF8.self).contains("0123456789")) }

    // A replay has the stand-in instead of the key.
    let standIn = try #require(Secret(parsing: key)).standIn.revealed
    let replay = ReplayTransport(recorded, clock: FrozenClock(from: .init(milliseconds: 0)), world: makeWorld())
    replay.start(Request(.post, try url(standIn), body: []), as: 1, limit: .seconds(1))
    #expect(replay.missing == [])
  }

  @Test(arguments: [
    ("POST /trigger/a/with/key/KEY HTTP/1.1", "POST /trigger/a/with/key/STAND HTTP/1.1"),
    (#"{"url":"https:\/\/maker.ifttt.com\/use\/KEY"}"#, #"{"url":"https://maker.ifttt.com/use/STAND"}"#),
    ("<a href=\"https://maker.ifttt.com/use/KEY\">", "<a href=\"https://maker.ifttt.com/use/STAND\">"),
    ("u=https%3A%2F%2Fmaker.ifttt.com%2Fuse%2FKEY&b=1", "u=https%3A%2F%2Fmaker.ifttt.com%2Fuse%2FSTAND&b=1"),
    ("/opt/use/walk.gpx", "/opt/use/walk.gpx"), ("/with/key/", "/with/key/"),
    ("/trigger/{event}/with/key/{key}", "/trigger/{event}/with/key/{key}"),
  ])
  func isReplacedInAnyText(_ text: String, _ expected: String) {
    var mask = ExchangeRedactor()
    let masked = mask.masked(text.replacing("KEY", with: Self.long))
    #expect(masked.replacing("kEy0-stand-in-for-a-secret-_opq", with: "STAND") == expected)
    var other = ExchangeRedactor()
    #expect(other.masked(masked) == masked)
  }

  @Test func noOtherHostGetsIt() throws {
    let response = Response(status: 302, headers: [.init("Location", "https://other.test/x/\(Self.long)")])
    let decision = Redirect.decide(Request(.get, try url(Self.long)), response, followed: 0)
    #expect(
      decision
        == .reject(
          "https://maker.test redirects a request with a credential in its path to another host, https://other.test"))
  }

  /// A server that copies the header's token into the path of another host would pass it on.
  @Test(arguments: [
    "https://other.test/x/TOKEN", "https://other.test/TOKEN/x", "https://other.test/a-TOKEN-b/x",
    "https://other.test/x%2FTOKEN%2Fy", "https://other.test/x/ENCODED", "https://other.test/x/TWICE",
    "https://other.test/x/BASE64", "https://other.test:8443/x.TOKEN.json?a=1",
  ])
  func noOtherHostGetsATokenOfAHeaderInThePath(_ location: String) throws {
    let token = "tO/kEn+0123456789"
    let digits = token.utf8.map { "%" + String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    let location = location.replacing("TOKEN", with: "tO%2FkEn+0123456789").replacing("ENCODED", with: digits)
      .replacing("TWICE", with: digits.replacing("%", with: "%25"))
      .replacing("BASE64", with: Base64.standard.encode(Array("id:\(token)".utf8)).prefix { $0 != "=" })
    let request = Request(
      .get, try WebURL(parsing: "https://maker.test/base"),
      headers: [Header("Authorization", prefix: "Bearer ", secret: try #require(Secret(parsing: token)))])
    func decision(_ location: String) -> RedirectDecision {
      Redirect.decide(request, Response(status: 302, headers: [.init("Location", location)]), followed: 0)
    }
    guard case .reject(let reason) = decision(location) else {
      Issue.record("\(location) was followed")
      return
    }
    #expect(reason.contains("with a credential of the request in the URL"))
    #expect(!reason.contains("0123456789"))
    // The same host has the token anyway.
    guard
      case .follow = decision(
        location.replacing("other.test:8443", with: "maker.test").replacing("other", with: "maker"))
    else {
      Issue.record("the redirect on the same host was not followed")
      return
    }
  }

  @Test func partOfAValueInTheQueryIsRemovedForAnotherHost() throws {
    let request = Request(
      .get, try WebURL(parsing: "https://maker.test/base"),
      headers: [Header("X-Key", secret: try #require(Secret(parsing: Self.long)))])
    let location = "https://other.test/x?a=before-\(Self.long)&b=1&next=%2Fy%3Fkey%3D\(Self.long)"
    let response = Response(status: 302, headers: [.init("Location", location)])
    guard case .follow(let next) = Redirect.decide(request, response, followed: 0) else {
      Issue.record("the redirect was not followed")
      return
    }
    #expect(next.url.wire == "https://other.test/x?b=1")
  }

  @Test func itStaysMaskedAfterARedirectOnTheSameHost() throws {
    let response = Response(status: 302, headers: [.init("Location", "/v2/\(Self.long)")])
    guard case .follow(let next) = Redirect.decide(Request(.get, try url(Self.long)), response, followed: 0) else {
      Issue.record("the redirect was not followed")
      return
    }
    #expect(next.url.redacted == "https://maker.test/v2/kEy0…_opq")
  }
}
