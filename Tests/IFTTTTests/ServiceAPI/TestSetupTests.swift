import JSON
import Testing
import Text

@testable import IFTTT

@Suite struct TestSetupTests {
  private func setup(_ text: String) throws -> TestSetup {
    TestSetup(try #require(try JSONValue(parsing: Array(text.utf8)).object))
  }

  @Test(arguments: [#"{"samples":{}}"#, #"{"accessToken":null,"samples":{}}"#, #"{"accessToken":"","samples":{}}"#])
  func aServiceWithoutSignInHasNoToken(text: String) throws {
    let setup = try setup(text)
    #expect(setup.accessToken == nil)
    #expect(setup.malformed == [])
  }

  @Test(arguments: [
    (#"{"accessToken":7,"samples":{}}"#, ["accessToken"]), (#"{"samples":[]}"#, ["samples"]), ("{}", ["samples"]),
    (#"{"samples":{"triggers":7}}"#, ["samples.triggers"]),
    (#"{"samples":{"actions":{"a":"x"}}}"#, ["samples.actions.a"]),
    (
      #"{"samples":{"triggerFieldValidations":{"t":{"f":true}}}}"#,
      ["samples.triggerFieldValidations.t.f"]
    ),
    (#"{"samples":{"triggers":[],"actions":null,"queries":{"q":[]}}}"#, []),
  ])
  func namesMalformedParts(text: String, expected: [String]) throws {
    #expect(try setup(text).malformed == expected)
  }

  @Test func aMalformedSampleHasNoFields() throws {
    let setup = try setup(#"{"samples":{"triggers":{"t":"Test"},"actions":{"a":7},"actionRecordSkipping":{"a":"x"}}}"#)
    #expect(setup.fields[.triggers]?.map(\.slug) == ["t"] && setup.sample(.triggers, "t")?.members.isEmpty == true)
    #expect(setup.sample(.actions, "a")?.members.isEmpty == true)
    #expect(setup.skipped.isEmpty, "no request could show that it is skipped")
    #expect(setup.malformed.count == 3)
  }

  @Test func readsSamplesInOrder() throws {
    let setup = try setup(
      """
      {"accessToken":"token","samples":{"triggers":{"b":{"x":"1"},"a":{}},"actionRecordSkipping":{"s":{"n":""}},
      "triggerFieldValidations":{"b":{"x":{"valid":"1","invalid":"2"}}}}}
      """)
    #expect(setup.accessToken?.revealed == "token")
    #expect(setup.fields[.triggers]?.map(\.slug) == ["b", "a"])
    #expect(setup.sample(.triggers, "b") == ["x": "1"])
    #expect(setup.skipped.map(\.slug) == ["s"])
    #expect(setup.validations.first?.invalid == "2")
  }
}
