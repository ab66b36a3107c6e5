import JSON
import Output
import Support
import Testing

@Suite struct FieldsTests {
  @Test(
    arguments: [
      ("id", #"{"id":"a"}"#), ("services.name,id", #"{"services.name":["W","M"],"id":"a"}"#),
      ("services.0.name", #"{"services.0.name":"W"}"#), ("services.5.name", #"{"services.5.name":null}"#),
      ("covers.480", #"{"covers.480":"u"}"#), ("nothing,id.x", #"{"nothing":null,"id.x":null}"#),
      ("services.more", #"{"services.more":[null,[1,2]]}"#),
      ("services.more.x", #"{"services.more.x":[null,[null,null]]}"#),
      ("services.more.1", #"{"services.more.1":[null,2]}"#),
      ("services", #"{"services":[{"name":"W"},{"name":"M","more":[1,2]}]}"#),
      ("é\"", #"{"é\"":1.50}"#), ("id, id ,id", #"{"id":"a"}"#),
    ])
  func selectsInsideObjectsAndArrays(fields: String, expected: String) throws {
    let row = #"{"id":"a","covers":{"480":"u"},"services":[{"name":"W"},{"name":"M","more":[1,2]}],"\u00e9\"":1.50}"#
    let presentation = Presentation(format: .jsonl, fields: try FieldPath.list(parsing: fields))
    #expect(try rendered([row], presentation) == expected + "\n")
  }

  /// Selecting from the bytes agrees with selecting from parsed values.
  @Test func agreeWithParsedValues() throws {
    func walk(_ value: JSONValue, _ names: ArraySlice<String>) -> JSONValue {
      guard let name = names.first else { return value }
      switch value {
      case .object: return value[name].map { walk($0, names.dropFirst()) } ?? .null
      case .array(let elements):
        guard let index = Int(name) else { return .array(elements.map { walk($0, names) }) }
        return elements.indices.contains(index) ? walk(elements[index], names.dropFirst()) : .null
      default: return .null
      }
    }
    var generator = SeededGenerator(seed: 2)
    let fields: [FieldPath] = ["b", "a.b", "a.1.id", "名.a.b", "id.0.0", "k\"\n", "a"]
    for _ in 0..<1000 {
      let row = JSONValue.object(generator.object(depth: 5))
      let text = try rendered([row.text], Presentation(format: .jsonl, fields: fields))
      let expected = fields.map { (key: $0.text, value: walk(row, $0.names[...])) }
      #expect(try JSONValue(parsing: Array(text.utf8)) == .object(JSONObject(members: expected)))
    }
  }

  @Test(arguments: ["", "a,", ",a", "a..b", ".", "a. ,b."]) func rejectsEmptyName(text: String) {
    #expect(throws: FieldsError.self) { try FieldPath.list(parsing: text) }
  }

  static let catalog = FieldCatalog([
    "id", "name", "status", "services", "services.id", "services.name", "cover_images.*",
    "configuration.features.fields.*",
  ])

  @Test(
    arguments: [
      "id", "services.name", "services.0", "services.0.name", "cover_images", "cover_images.480",
      "configuration.features",
      "configuration.features.0.fields.day", "configuration.features.fields.day.deep.0", "id,name,services.1.id",
    ])
  func acceptsPathsInCatalogue(text: String) throws {
    try Self.catalog.check(FieldPath.list(parsing: text))
  }

  @Test(
    arguments: [
      "nmae", "service.name", "Status", "id,services.nam", "0", "cover_image.480",
      String(repeating: "name", count: 1000), "services" + String(repeating: ".0", count: 500_000),
    ])
  func rejectsPathsOutsideCatalogue(text: String) throws {
    let fields = try FieldPath.list(parsing: text)
    let unknown = try #require(fields.last)
    #expect(throws: FieldsError.unknown(unknown.text, valid: Self.catalog.paths)) {
      try Self.catalog.check(fields)
    }
  }
}
