import HTTP
import IFTTT
import JSON
import Support
import Testing

/// Responses with a mutation in every element: each is parsed or rejected cleanly, and parsed ones match the schema.
struct ConnectionMutationTests {
  /// One file of each shape; the others differ from one of these only in single values.
  @Test(arguments: [Fixture.november2018, .july2019, .march24, .iosSeveralFields])
  func everyValueReplacedByEveryOther(fixture: Fixture) throws {
    let json = try fixture.json()
    for replacement in try replacements() {
      var refused = 0
      for damaged in damages(to: json, by: replacement) {
        guard let connection = damaged.object.flatMap(Connection.init(reading:)) else {
          refused += 1
          continue
        }
        let text = document(connection)
        guard (try? JSONValue(parsing: Array(text.utf8))) != nil else {
          Issue.record("not JSON: \(text)")
          return
        }
      }
      // Only a connection's own id is required, and a number or a keyword is a valid id.
      #expect(refused <= 1)
    }
  }

  @Test func parsedMutationsMatchSchema() throws {
    var documents: [String] = []
    for replacement in [nil, .null, 7, ["value": 1], ["lat": "1", "lng": 2]] as [JSONValue?] {
      for damaged in damages(to: try Fixture.iosSeveralFields.json(), by: replacement) {
        guard let connection = damaged.object.flatMap(Connection.init(reading:)) else { continue }
        documents.append(document(connection))
      }
    }
    #expect(documents.count > 500)
    #expect(try JSONSchemaValidator.problems(of: documents, against: ConnectionSchema.rows.one) == [])
  }

  @Test(arguments: [Fixture.android, .iosSeveralFields])
  func randomBytesAreParsedOrRejected(fixture: Fixture) throws {
    let (id, bytes) = (try fixture.connection().id, try fixture.bytes())
    var random = SeededGenerator(seed: 1)
    var (read, refused) = (0, 0)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random)) }
      do throws(APIError) {
        _ = document(try FetchedConnection(Response(status: 200, body: damaged), for: id).connection)
        read += 1
      } catch {
        refused += 1
      }
    }
    #expect(read > 0)
    #expect(refused > 0)
  }

  private func replacements() throws -> [JSONValue?] {
    let deep = Array((String(repeating: "[", count: 200) + String(repeating: "]", count: 200)).utf8)
    return [
      nil, .null, true, -1, .number(JSONNumber(unchecked: "1e999")), "", "false",
      .string(String(repeating: "\u{1b}é", count: 1000)), [], [:], [nil, 1, [:], ["id": "x"]], ["value": "v"],
      try JSONValue(parsing: deep),
    ]
  }

  /// Copies of `value`, each with one member or element replaced or removed.
  private func damages(to value: JSONValue, by replacement: JSONValue?) -> [JSONValue] {
    var copies: [JSONValue] = []
    switch value {
    case .object(let object):
      for (key, member) in object.members {
        let members: [JSONValue?] = damages(to: member, by: replacement) + [replacement]
        for damaged in members {
          var copy = object
          copy[key] = damaged
          copies.append(.object(copy))
        }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        let members: [JSONValue?] = damages(to: element, by: replacement) + [replacement]
        for damaged in members {
          var copy = elements
          if let damaged { copy[index] = damaged } else { copy.remove(at: index) }
          copies.append(.array(copy))
        }
      }
    default: break
    }
    return copies
  }
}
