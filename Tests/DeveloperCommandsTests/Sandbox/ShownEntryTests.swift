import HTTP
import JSON
import ProgramDriver
import Sandbox
import Session
import Testing
import World

@testable import DeveloperCommands

/// Recorded requests are shown without credentials, whatever the names of their fields.
@Suite struct ShownEntryTests {
  private func shown(_ target: String, _ headers: [Header], _ body: String) -> String {
    let fields = headers.map { HeaderField($0.name, $0.wire) }
    let request = ReceivedRequest(method: "POST", target: target, fields: fields, body: Array(body.utf8))
    // The response repeats what the request contains.
    let response = Response(status: 200, headers: fields, body: Array(body.utf8))
    var emulator = Emulator(state: .seed)
    emulator.record(
      LoggedExchange(received: request, response, duration: .zero), of: emulator.makeKey(),
      at: Timestamp(milliseconds: 0))
    return emulator.log[1].map { RequestRow(shown: ShownEntry($0)).json.text } ?? ""
  }

  @Test func credentialsUnderOtherNamesAreMasked() {
    let secret = "e1hM0123456789abcdefghij4aTz"
    for (target, headers, body) in [
      ("/v2/me?apiKey=\(secret)", [], ""), ("/v2/me", [Header("X-Auth-Token", secret)], ""),
      ("/v2/me", [Header("X-Note", "Bearer \(secret)")], ""),
      ("/v2/me", [], #"{"a":{"refreshToken":["\#(secret)"]}}"#),
      ("/v2/me", [], #"{"b":1,"code":"\#(secret)"}"#), ("/v2/me", [], "client_secret=\(secret)&b=1"),
      ("/v2/me", [], #"{"a":"{\"jwt\":\"\#(secret)\"}"}"#),
    ] as [(String, [Header], String)] {
      let text = shown(target, headers, body)
      #expect(!text.contains("0123456789"), "\(text)")
      #expect(text.contains("e1hM…4aTz"), "\(text)")
    }
    for target in ["/trigger/a/with/key/\(secret)", "/trigger/a/json/%77ith/key/\(secret)?value1=\(secret)"] {
      let text = shown(target, [Header("Referer", "https://maker.ifttt.com/use/\(secret)")], "")
      #expect(!text.contains("0123456789"), "\(text)")
    }
    #expect(shown("/trigger/a/with/key/%6B1", [], "").contains("/trigger/a/with/key/…"))
    #expect(shown("/v2/me?a=plain", [Header("X-Plain", "words")], #"{"b":"text"}"#).contains(#"{\"b\":\"text\"}"#))
  }
}
