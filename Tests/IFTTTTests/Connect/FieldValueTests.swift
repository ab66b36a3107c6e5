import IFTTT
import JSON
import Testing

struct FieldValueTests {
  @Test func shapeDeterminesType() throws {
    #expect(try value("null") == nil)
    #expect(try value(#""/IFTTT""#) == .text("/IFTTT"))
    #expect(try value(#"{"value":"v","label":"L","group":"G"}"#) == .option(.init(group: "G", label: "L", value: "v")))
    #expect(try value(#"{"value":7}"#) == .option(.init(group: nil, label: nil, value: "7")))
    #expect(
      try value(#"[{"label":"L","value":"v"},{"value":"w"}]"#)
        == .options([.init(group: nil, label: "L", value: "v"), .init(group: nil, label: nil, value: "w")]))
    #expect(try value("[]") == .options([]))
  }

  @Test func parsesThreeSpellingsOfALocation() throws {
    let expected = FieldValue.location(
      .init(
        latitude: JSONNumber(unchecked: "37.78383800416815"), longitude: JSONNumber(unchecked: "-122.40"),
        radius: JSONNumber(unchecked: "316.2"), address: "A", details: "D", zoom: JSONNumber(16)))
    let rest = #""address":"A","description":"D""#
    #expect(try value(#"{"lat":37.78383800416815,"lng":-122.40,"radius":316.2,"zoom":16,\#(rest)}"#) == expected)
    #expect(
      try value(#"{"lat":"37.78383800416815","lng":"-122.40","radius":"316.2","zoom":"16",\#(rest)}"#) == expected)
    #expect(
      try value(#"{"latitude":"37.78383800416815","longitude":"-122.40","radius":"316.2","zoom":"16",\#(rest)}"#)
        == expected)
  }

  @Test(arguments: [
    "true", "7", "1e999", "{}", #"{"value":{"a":1}}"#, #"{"value":null}"#, #"{"value":1.5}"#, #"{"lat":1}"#,
    #"{"lat":"north","lng":"west"}"#, #"{"lat":null,"lng":null}"#, #"["a","b"]"#, #"[{"value":"v"},"b"]"#, "[null]",
    #"{"colour":"red"}"#,
  ])
  func unknownShapeIsUnchanged(json: String) throws {
    #expect(try value(json) == .other(JSONValue(parsing: Array(json.utf8))))
  }

  @Test func bothSpellingsOfEnterOrExitAreOneKind() {
    #expect(FieldKind(onWire: "LOCATION_ENTER_OR_EXIT") == FieldKind(onWire: "LOCATION_ENTER_AND_EXIT"))
    #expect(FieldKind(onWire: "LOCATION_ENTER_OR_EXIT") != FieldKind(onWire: "LOCATION_ENTER"))
  }

  @Test(
    arguments: [
      ("TEXT_FIELD", .text), ("TEXT_AREA", .textArea), ("COLLECTION_SELECT", .select),
      ("DOUBLE_COLLECTION_SELECT", .groupedSelect), ("CHECKBOX_MULTI", .checkboxes), ("LOCATION_POINT", .locationPoint),
      ("LOCATION_RADIUS", .locationArea), ("LOCATION_EXIT", .locationExit), ("COLOUR_WHEEL", .other("COLOUR_WHEEL")),
    ] as [(String, FieldKind)])
  func kindIsParsedFromItsName(name: String, kind: FieldKind) {
    #expect(FieldKind(onWire: name) == kind)
  }

  @Test(
    arguments: [
      (#""x""#, .text), (#"{"value":"v"}"#, .select), ("[]", .checkboxes), (#"{"lat":1,"lng":2}"#, .locationPoint),
      (#"{"lat":1,"lng":2,"radius":3}"#, .locationArea), ("7", nil),
    ] as [(String, FieldKind?)])
  func missingTypeIsInferredFromValue(json: String, kind: FieldKind?) throws {
    #expect(try value(json).flatMap(FieldKind.init(of:)) == kind)
  }

  private func value(_ text: String) throws -> FieldValue? { FieldValue(try JSONValue(parsing: Array(text.utf8))) }
}
