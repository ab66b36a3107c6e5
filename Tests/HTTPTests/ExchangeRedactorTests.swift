import Foundation
import HTTP
import Support
import Testing
import Text
import World

/// Credentials never appear in a recording, wherever in an exchange they occur.
@Suite struct ExchangeRedactorTests {
  /// For people, a credential is shown as ``Secret/masked``, and masking again changes nothing.
  @Test(
    arguments: [
      ("> GET https://h.test/x?access_token=TOKEN&a=1", "> GET https://h.test/x?access_token=e1hM…4aTz&a=1"),
      ("https://maker.ifttt.com/trigger/a/with/key/TOKEN", "https://maker.ifttt.com/trigger/a/with/key/e1hM…4aTz"),
      (#"{"headers":{"Authorization":"Bearer TOKEN"},"n":1}"#, #"{"headers":{"Authorization":"Bear…4aTz"},"n":1}"#),
      (#"{"client_secret":12345,"code":"not_found"}"#, #"{"client_secret":"…","code":"not_found"}"#),
      ("Authorization: Bearer TOKEN", "Authorization: Bearer e1hM…4aTz"),
      (
        "https://kai:TOKEN@h.test and git+ssh://git@h.test/o", "https://kai:e1hM…4aTz@h.test and git+ssh://git@h.test/o"
      ),
      ("no connection 'TOKEN'", "no connection 'e1hM…4aTz'"),
      ("u=%7B%22token%22%3A%22TOKEN%22%7D", "u=%7B%22token%22%3A%22e1hM…4aTz%22%7D"),
      ("sha256 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", nil),
      ("commit '0123456789abcdef0123456789abcdef01234567'", nil), ("request 123e4567-e89b-12d3-a456-426614174000", nil),
      ("option '--user-token-file' requires a value (FILE)", nil), ("See https://man.test/connections/add-2026", nil),
      ("no user token: pass --user-token-file FILE or set IFTTT_USER_TOKEN", nil), ("Kd7Rn2Qx: enabled", nil),
    ] as [(String, String?)])
  func aTextForPeopleIsMasked(_ text: String, _ expected: String?) {
    let text = text.replacing("TOKEN", with: "e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz")
    var mask = ExchangeRedactor(as: .masked)
    let masked = mask.masked(text)
    #expect(masked == expected ?? text)
    #expect(mask.masked(masked) == masked)
  }

  private static let token = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
  private static let standIn = "Zq8v-stand-in-for-a-secret-VwBk"

  @Test(arguments: [
    (#"{"type":"user_token","user_token":"TOKEN"}"#, #"{"type":"user_token","user_token":"STAND"}"#),
    (#"{ "a" : [ {"Access_Token" : "TOKEN" , "b":1 } ] }"#, #"{ "a" : [ {"Access_Token" : "STAND" , "b":1 } ] }"#),
    (#"{"\u0074oken":"TOKEN","code":"unauthorized"}"#, #"{"\u0074oken":"STAND","code":"unauthorized"}"#),
    // Truncated, and not JSON at all.
    (#"{"user_token":"TOKEN"#, #"{"user_token":"STAND"#),
    (
      #"{"user_token": TOKEN, "token": [TOKEN, -1.5e3, {"a": TOKEN}], "n": 12x}"#,
      #"{"user_token": STAND, "token": [STAND, 0, {"a": STAND}], "n": 12x}"#
    ),
    (#"<p>user_token=TOKEN</p>"#, #"<p>user_token=STAND</p>"#),
    (
      #"{"url":"https:\/\/x.test\/?a=1&access_token=TOKEN&b=2"}"#,
      #"{"url":"https:\/\/x.test\/?a=1&access_token=STAND&b=2"}"#
    ),
    ("user_id=7&token=TOKEN", "user_id=7&token=STAND"),
    // A number stays a number, and other values stay unchanged.
    (#"{"token":12345678,"n":12345678}"#, #"{"token":0,"n":12345678}"#),
    (#"{"token":null,"secret":"","password":true}"#, #"{"token":null,"secret":"","password":true}"#),
    (#"{"token":["TOKEN"],"key":"value","cursor":"abc"}"#, #"{"token":["STAND"],"key":"value","cursor":"abc"}"#),
  ])
  func valuesWithCredentialNamesAreMasked(_ text: String, _ expected: String) {
    func filled(_ text: String) -> String {
      text.replacingOccurrences(of: "TOKEN", with: Self.token).replacingOccurrences(of: "STAND", with: Self.standIn)
    }
    var mask = ExchangeRedactor()
    let masked = mask.masked(filled(text))
    #expect(masked == filled(expected))
    // Masking the result again changes nothing.
    var other = ExchangeRedactor()
    #expect(other.masked(masked) == masked)
  }

  /// A secret from the request, in every spelling a server may repeat it in.
  @Test func secretsRepeatedByServerAreMasked() throws {
    let secret = try #require(Secret(parsing: "at = 7f&20/c1+ü\"end"))
    var written: [UInt8] = []
    let clock = FrozenClock(from: Timestamp(milliseconds: 0))
    let echoes = [
      secret.revealed, "at%20%3D%207f%2620%2Fc1%2B%C3%BC%22end", "at%20%3d%207f%2620%2fc1%2b%c3%bc%22end",
      #"{"x":"at = 7f&20\/c1+\u00fc\"end"}"#, #"{"at = 7f&20\/c1+\u00FC\"end":1}"#,
    ]
    let answers: [ScriptedTransport.Answer] = echoes.map { echo in
      { _ in
        .success(
          Response(
            status: 200,
            headers: [
              .init("Location", "/?access_token=anything"), .init("X-Echo", secret.revealed),
              .init("Set-Cookie", "session=c00kie-of-mine; Path=/; HttpOnly"),
            ], body: Array(echo.utf8)))
      }
    }
    let recorder = RecordingTransport(ScriptedTransport(answers: answers), clock: clock) { written += $0.bytes }
    let url = try WebURL(parsing: "https://x.test/v2/user_token")
      .with([QueryItem("user_id", "7"), QueryItem("access_token", secret.revealed, isSecret: true)])
    for index in echoes.indices {
      recorder.start(
        Request(.post, url, headers: [Header("IFTTT-Service-Key", secret: secret)], body: Array(secret.revealed.utf8)),
        as: index, limit: .seconds(1))
      _ = recorder.wait(atMost: .zero, orReadable: -1)
    }
    let text = String(decoding: written, as: UTF8.self)
    for trace in ["7f&20", "7f%26", "c00kie", "anything", "00fc", "00FC"] {
      #expect(!text.contains(trace), "\(trace) in \(text)")
    }
    #expect(text.contains("session=stand-in; Path=/; HttpOnly"))
    #expect(text.contains("user_id=7&access_token=stand-in"))
  }

  /// A credential that is a word of the stand-ins is masked only where its name identifies it.
  @Test func standInsAreNotChangedByLaterSecrets() {
    var mask = ExchangeRedactor()
    let masked = mask.masked("{\"access_token\":\"\(Self.token)\",\"password\":\"secret\",\"note\":\"secret\"}")
    #expect(masked.hasSuffix("\"password\":\"stand-in\",\"note\":\"secret\"}"))
    #expect(masked.contains("-stand-in-for-a-secret-") && mask.masked(masked) == masked)
  }

  @Test func bodiesThatAreNotTextAreBase64() throws {
    let request = RecordedExchange.RecordedRequest(method: "GET", url: "https://x.test/", headers: [], body: nil)
    for count in 0..<8 {
      let body = (0..<count).map { UInt8(0xff - $0) }
      let exchange = RecordedExchange(
        number: 1, request: request, result: .success(Response(status: 200, body: body)),
        endedAt: Timestamp(milliseconds: 5), startedAfter: .zero, endedAfter: .microseconds(3))
      #expect(RecordedExchange(parsing: exchange.bytes) == exchange)
      let encoded = Data(body).base64EncodedString()
      if count > 0 { #expect(String(decoding: exchange.bytes, as: UTF8.self).contains("\"\(encoded)\"")) }
    }
    #expect(RecordedExchange(parsing: Array("{}".utf8)) == nil)
    #expect(RecordedExchange(parsing: [0xff]) == nil)
  }

  @Test(arguments: ["short", Self.token, "exactly-24-characters-xx", "exactly-25-characters-xxx"])
  func standInLooksLikeItsSecret(_ text: String) throws {
    let secret = try #require(Secret(parsing: text))
    #expect(secret.standIn.masked == secret.masked)
    #expect(secret.standIn.standIn == secret.standIn)
    #expect(!secret.standIn.revealed.contains(text))
  }
}
