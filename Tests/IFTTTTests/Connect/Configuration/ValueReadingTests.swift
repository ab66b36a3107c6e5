import IFTTT
import JSON
import Testing

/// The meaning of arguments for each kind of field.
struct ValueReadingTests {
  private func field(_ type: String) -> Field {
    Field(id: "f", label: nil, type: type, isRequired: nil, isHidden: nil, defaultValue: .null)
  }

  private func value(_ type: String, _ arguments: String..., options: String? = nil) throws -> String? {
    let known = options.flatMap { Lamps.options.options[$0] } ?? []
    return try field(type).value(of: arguments, known)?.text
  }

  private func cause(_ type: String, _ arguments: String..., options: String? = nil) -> FieldValueError? {
    let known = options.flatMap { Lamps.options.options[$0] } ?? []
    do throws(FieldValueError) { _ = try field(type).value(of: arguments, known) } catch { return error }
    return nil
  }

  @Test(arguments: ["TEXT_FIELD", "TEXT_AREA"]) func textIsUsedUnchanged(type: String) throws {
    for text in ["Hall", "", "@file", "{\"a\":1}", "a=b,c", "  "] {
      #expect(try value(type, text) == JSONValue.string(text).text)
    }
    #expect(try value(type, "a", "b") == #""b""#, "the last argument wins")
  }

  @Test(arguments: ["COLLECTION_SELECT", "DOUBLE_COLLECTION_SELECT"]) func optionIsNamedByValueLabelOrPath(type: String)
    throws
  {
    let boat = #"{"group":"Shared","label":"Boat","value":"cal_b"}"#
    #expect(try value(type, "cal_b", options: "calendar") == boat)
    #expect(try value(type, "Shared > Boat", options: "calendar") == boat)
    #expect(try value(type, "Garden", options: "calendar") == #"{"group":null,"label":"Garden","value":"cal_a"}"#)
    #expect(try value(type, "", options: "calendar") == nil)
    guard case .severalOptions("Boat", let found)? = cause(type, "Boat", options: "calendar") else {
      Issue.record("a label that occurs twice must be ambiguous")
      return
    }
    #expect(found.map(\.value) == ["cal_b", "cal_c"])
    guard case .noOption("garden", let all)? = cause(type, "garden", options: "calendar") else {
      Issue.record("labels must be case-sensitive")
      return
    }
    #expect(all.count == 3)
  }

  @Test func valueTakesPrecedenceOverLabel() throws {
    let options = [Lamps.option("Night", "Day"), Lamps.option("Day", "Night")]
    #expect(try field("COLLECTION_SELECT").value(of: ["Night"], options)?["value"] == "Night")
  }

  @Test func checksSeveralCheckboxes() throws {
    let both = #"[{"group":null,"label":"Ceiling","value":"l_1"},{"group":null,"label":"Floor","value":"l_3"}]"#
    #expect(try value("CHECKBOX_MULTI", "l_1, Floor", options: "lamps") == both)
    #expect(try value("CHECKBOX_MULTI", "Ceiling", "l_3", "l_1", options: "lamps") == both)
    #expect(try value("CHECKBOX_MULTI", #"["l_1",{"value":"l_3"}]"#, options: "lamps") == both)
    #expect(
      try value("CHECKBOX_MULTI", "Desk, left", options: "lamps")
        == #"[{"group":null,"label":"Desk, left","value":"l_2"}]"#, "a label may contain a comma")
    #expect(try value("CHECKBOX_MULTI", "", options: "lamps") == nil)
    #expect(
      cause("CHECKBOX_MULTI", "l_1,l_9", options: "lamps") == .noOption("l_9", Lamps.options.options["lamps"] ?? []))
  }

  @Test(arguments: [
    "LOCATION_RADIUS", "LOCATION_ENTER", "LOCATION_EXIT", "LOCATION_ENTER_OR_EXIT", "LOCATION_ENTER_AND_EXIT",
  ])
  func areaNeedsARadius(type: String) throws {
    #expect(try value(type, "38.70, -9.10, 300") == #"{"lat":38.70,"lng":-9.10,"radius":300}"#)
    #expect(
      try value(type, "38.7,-9.1,300,Rua 9, Lisboa")
        == #"{"lat":38.7,"lng":-9.1,"radius":300,"address":"Rua 9, Lisboa"}"#)
    #expect(
      try value(type, #"{"lat":"38.7","lng":-9.1,"radius":3e2,"description":"Home"}"#)
        == #"{"lat":38.7,"lng":-9.1,"radius":3e2,"description":"Home"}"#)
    #expect(cause(type, "38.7,-9.1") == .needsRadius)
    #expect(cause(type, "38.7,-9.1,Lisboa") == .needsRadius)
    #expect(cause(type, "38.7,-9.1,0") == .outOfBounds("radius", 0.001...20_037_508))
    #expect(try value(type, "") == nil)
  }

  @Test func pointHasNoRadius() throws {
    #expect(try value("LOCATION_POINT", "+38.7,-9.1") == #"{"lat":38.7,"lng":-9.1}"#)
    #expect(try value("LOCATION_POINT", "38.7,-9.1,Lisboa") == #"{"lat":38.7,"lng":-9.1,"address":"Lisboa"}"#)
    #expect(
      try value("LOCATION_POINT", "38.7,-9.1,,12, Main St") == #"{"lat":38.7,"lng":-9.1,"address":"12, Main St"}"#)
    #expect(cause("LOCATION_POINT", "38.7,-9.1,300") == .takesNoRadius)
  }

  @Test(arguments: [
    ("Lisboa", FieldValueError.noLocation("Lisboa")), ("38.7", .noLocation("38.7")), ("x,1", .noNumber("x")),
    ("1,", .noNumber("")), ("1,0x10", .noNumber("0x10")), ("1,NaN", .noNumber("NaN")), ("1, 1.", .noNumber("1.")),
    ("91,0", .outOfBounds("latitude", -90...90)), ("0,-180.1", .outOfBounds("longitude", -180...180)),
    ("1e999,0", .outOfBounds("latitude", -90...90)), (#"{"lat":1}"#, .noLocation(#"{"lat":1}"#)),
  ]) func rejectsInvalidLocation(text: String, expected: FieldValueError) {
    #expect(cause("LOCATION_POINT", text) == expected)
  }

  @Test func rejectsInvalidJSON() {
    guard case .noJSON? = cause("LOCATION_POINT", "{") else {
      Issue.record("invalid JSON must be rejected")
      return
    }
  }

  @Test func unknownKindAcceptsJSON() throws {
    #expect(try value("COLOR_WHEEL", "red") == #""red""#)
    #expect(try value("COLOR_WHEEL", #"{"hue":1.50}"#) == #"{"hue":1.50}"#)
    #expect(try value("COLOR_WHEEL", "[1]") == "[1]")
    #expect(try value("COLOR_WHEEL", "") == nil)
    #expect(try value("COLOR_WHEEL", "Night", options: "scene")?.utf8.count == 45, "the options apply if there are any")
  }

  @Test(arguments: [
    ("TEXT_FIELD", "7"), ("TEXT_FIELD", "{}"), ("COLLECTION_SELECT", "7"), ("COLLECTION_SELECT", #"{"a":1}"#),
    ("CHECKBOX_MULTI", "{}"), ("CHECKBOX_MULTI", "[7]"), ("LOCATION_POINT", "[]"), ("LOCATION_POINT", "true"),
  ]) func rejectsFileValueOfAnotherShape(type: String, json: String) throws {
    let json = try Lamps.json(json)
    #expect(throws: FieldValueError.self) { try field(type).value(of: json, []) }
  }

  @Test func fileValueMayBeText() throws {
    let scenes = try #require(Lamps.options.options["scene"])
    #expect(try field("COLLECTION_SELECT").value(of: "Night", scenes)?["value"] == "sc_4")
    #expect(try field("LOCATION_POINT").value(of: "1,2", [])?["lat"] == 1)
    #expect(try field("CHECKBOX_MULTI").value(of: ["Night"], scenes)?.array?.count == 1)
    #expect(try field("COLLECTION_SELECT").value(of: .null, scenes) == nil)
  }
}
