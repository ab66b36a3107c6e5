import IFTTT
import JSON
import Support
import Testing

struct ConnectionSchemaTests {
  @Test func everyFixtureMatchesSchema() throws {
    let documents = try Fixture.allCases.map { document(try $0.connection(), pending: true) }
    #expect(try JSONSchemaValidator.problems(of: documents, against: ConnectionSchema.rows.one) == [])
    let list = "[" + documents.joined(separator: ",") + "]"
    #expect(try JSONSchemaValidator.problems(of: [list, "[]"], against: ConnectionSchema.rows.list) == [])
  }

  /// A missing or additional key is detected anywhere except in a free-form map.
  @Test func schemaIsStrict() throws {
    let whole = try JSONValue(parsing: Array(document(try Fixture.iosSeveralFields.connection()).utf8))
    var broken: [String] = []
    visit(whole) { broken.append($0.text) }
    let problems = try JSONSchemaValidator.problems(of: broken, against: ConnectionSchema.rows.one)
    let noticed = Set(problems.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } })
    #expect(broken.count > 50)
    #expect(broken.indices.filter { !noticed.contains($0) }.map { broken[$0] } == [])
  }

  @Test(arguments: ["null", "[]", "{}", #""x""#])
  func schemaRejectsAnythingElse(text: String) throws {
    #expect(try !JSONSchemaValidator.problems(of: [text], against: ConnectionSchema.rows.one).isEmpty)
  }

  @Test func fieldCatalogueNamesEveryPath() throws {
    let catalog = fieldCatalog(of: try JSONValue(parsing: Array(ConnectionSchema.rows.list.utf8)))
    #expect(catalog == fieldCatalog(of: try JSONValue(parsing: Array(ConnectionSchema.rows.one.utf8))))
    #expect(Array(catalog.prefix(4)) == ["id", "name", "description", "status"])
    for path in [
      "services.short_name", "features.fields.default_value.value", "features.triggers.step", "cover_images.*",
      "configuration.features.triggers.fields.*.lat", "configuration.features.fields.*", "tracked", "fetched_at",
    ] { #expect(catalog.contains(path)) }
    #expect(Set(catalog).count == catalog.count)
  }

  /// Each object of a fixed shape without one of its keys, and with an additional one. Field values may be anything,
  /// so the objects below `fields` maps and `default_value` are skipped.
  private func visit(_ value: JSONValue, _ broken: (JSONValue) -> Void) {
    switch value {
    case .array(let elements):
      guard let first = elements.first else { return }
      visit(first) { broken(.array([$0] + elements.dropFirst())) }
    case .object(let object):
      for (key, _) in object.members {
        var copy = object
        copy[key] = nil
        broken(.object(copy))
      }
      var copy = object
      copy["extra"] = 1
      broken(.object(copy))
      for (key, member) in object.members where key != "default_value" && key != "cover_images" {
        if key == "fields", member.object != nil { continue }
        visit(member) { damaged in
          var copy = object
          copy[key] = damaged
          broken(.object(copy))
        }
      }
    default: break
    }
  }
}
