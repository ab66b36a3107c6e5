import Foundation
import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// `connections export` and `diff` use what they fetched, whatever the credentials are and whether the connection is
/// tracked.
@Suite struct FetchedStateTests {
  private static let id = "aa"
  private static let export = #"{"version":1,"connections":[{"id":"aa","name":"aa","status":"enabled","features":[]}]}"#

  private func home(_ variables: [String: String]) -> Home {
    let home = Home()
    home.environment = variables
    home.secrets += variables.values.filter { $0.contains("tests") }
    return home
  }

  private static let token = ["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"]
  private static let key = ["IFTTT_SERVICE_KEY": "key-of-the-tests-0123456789", "IFTTT_USER_ID": "u-1"]

  @Test(arguments: [token, key, token.merging(key) { $1 }], [false, true])
  func aFetchIsUsedWithinItsAgeAndOffline(_ variables: [String: String], _ isTracked: Bool) {
    let home = home(variables)
    let response = Server.connection(Self.id).replacing(
      #""services""#, with: #""user_connection":{"user_features":[]},"services""#)
    if isTracked { home.run("connections add aa", answers: Server().answering(200, response)) }
    // With one kind of credentials, the fetch of a tracked connection is in the list already.
    let isCached = isTracked && variables.count != 3
    let server = isCached ? Server() : Server().answering(200, response)
    let exported = home.run("connections export aa", answers: server)
    #expect(exported.exit == .success, "\(exported.errors)")
    let file = home.folder.write("connections.json", exported.output)
    for line in ["connections diff \(file)", "connections export aa", "--offline connections diff \(file)"] {
      let again = home.run(line)
      #expect(again.exit == .success, "\(line): \(again.errors)")
    }
    #expect(home.run("connections export aa").output == exported.output)
    // Nothing is tracked that was not.
    #expect(home.run("connections list --offline --json --fields id").output.contains("aa") == isTracked)
    let stale = Server().answering(200, response)
    home.run("connections diff \(file) --max-age 0", answers: stale)
    #expect(stale.requests.count == 1)
  }

  @Test func anotherUserFetchesAgain() {
    let home = home(Self.key)
    home.run("connections export aa", answers: Server().answering(200, Server.connection("aa")))
    let asked = Server().answering(200, Server.connection("aa", status: "disabled"))
    let other = home.run("connections export aa --user-id u-2", answers: asked)
    #expect(other.output.contains("disabled") && asked.requests.count == 1)
  }

  /// What was fetched before a change is not used after it.
  @Test func aChangeMakesAFetchStale() {
    let home = home(Self.token.merging(Self.key) { $1 })
    home.run("connections export aa", answers: Server().answering(200, Server.connection("aa")))
    let changed = home.run(
      "connections disable aa --yes",
      answers: Server().answering(200, Server.connection("aa")).answering(
        200, Server.connection("aa", status: "disabled")))
    #expect(changed.exit == .success, "\(changed.errors)")
    let asked = Server().answering(200, Server.connection("aa", status: "disabled"))
    #expect(home.run("connections export aa", answers: asked).output.contains("disabled"))
  }

  /// With a user token alone, a change that IFTTT documents for a service key is not sent.
  @Test func aChangeThatNeedsTheServiceKeyNamesIt() {
    let home = home(Self.token)
    let response = Server.connection("aa").replacing(
      #""features":[]"#,
      with: #""features":[{"id":"f","title":"F","fields":[{"id":"x","label":"X","type":"TEXT_FIELD"}]}],"#
        + #""user_connection":{"user_features":[{"id":"1","feature_id":"f","enabled":true,"user_fields":[]}]}"#)
    let file = home.folder.write(
      "wanted.json", #"{"version":1,"connections":[{"id":"aa","features":[{"feature":"f","fields":{"x":"1"}}]}]}"#)
    for line in ["connections apply \(file) --yes", "configure aa --set f.x=1 --yes"] {
      let server = Server().answering(200, response)
      let refused = home.run(line, answers: server)
      #expect(refused.exit == .credentials)
      #expect(refused.errors.contains("needs a service key"), "\(refused.errors)")
      #expect(refused.errors.contains("IFTTT documents this change for a service key with a user id"))
      #expect(refused.errors.contains("--service-key-file") && refused.errors.contains("--as user"))
      #expect(server.requests.map(\.method) == [.get], "only the state is read")
    }
    let asked = Server().answering(200, response).answering(200, response).answering(204).answering(200, response)
    home.run("configure aa --set f.x=1 --yes --as user", answers: asked)
    #expect(asked.requests.contains { $0.method == .put }, "--as user asks for it")
    asked.forget()
  }

  @Test(arguments: ["configure aa --file F --yes", "connections diff F", "connections apply F --yes"])
  func halfOfASurrogatePairIsRefusedBeforeAnyRequest(_ line: String) {
    let home = home(Self.key)
    let file = home.folder.write(
      "wanted.json",
      line.hasPrefix("configure")
        ? #"{"features":[{"feature_id":"f","enabled":true,"fields":{"x":"a\ud800"}}]}"#
        : #"{"version":1,"connections":[{"id":"aa","features":[{"feature":"f","fields":{"x":"a\ud800"}}]}]}"#)
    let words = line.split(separator: " ").map { $0 == "F" ? file : String($0) }.joined(separator: " ")
    let refused = home.run(words, answers: Server())
    #expect(refused.exit == .failure)
    #expect(refused.errors.contains("an escape is half of a surrogate pair"), "\(refused.errors)")
  }

  /// An empty list of checkboxes is a value, which another list differs from.
  @Test func anEmptyListOfCheckboxesIsExportedAndCompared() throws {
    func response(_ value: String) -> String {
      Server.connection("aa").replacing(
        #""features":[]"#,
        with: #""features":[{"id":"f","title":"F","fields":[{"id":"days","label":"Days","type":"CHECKBOX_MULTI"}]}],"#
          + #""user_connection":{"user_features":[{"id":"1","feature_id":"f","enabled":true,"user_fields":"#
          + #"[{"field_id":"days","field_type":"CHECKBOX_MULTI","value":\#(value)}]}]}"#)
    }
    let home = home(Self.key)
    let exported = home.run("connections export aa", answers: Server().answering(200, response("[]")))
    #expect(exported.output.contains(#""days": []"#), "\(exported.output)")
    let file = home.folder.write("connections.json", exported.output)
    #expect(home.run("connections diff \(file) --json").output == "[]\n")
    let checked = #"[{"label":"Monday","value":"mo"}]"#
    let compared = home.run(
      "connections diff \(file) --json --max-age 0", answers: Server().answering(200, response(checked)))
    #expect(
      compared.output.contains(#""field":"f.days","change":"removed","wanted":[],"present":["mo"]"#), "\(compared)")
    let sent = Server().answering(200, response(checked)).answering(204).answering(200, response("[]"))
    let applied = home.run("connections apply \(file) --yes --allow-removal", answers: sent)
    #expect(applied.exit == .success, "\(applied.errors)")
    let put = try #require(sent.requests.first { $0.method == .put })
    #expect(String(decoding: put.body ?? [], as: UTF8.self).contains(#""days""#), "the empty list is sent")
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    guard let range = range(of: part) else { return self }
    return replacingCharacters(in: range, with: other)
  }
}
