import API
import Connect
import HTTP
import JSON
import Support
import Testing

/// Answers that are damaged in every place: each is read or refused cleanly, and what is read obeys the schema.
struct ConnectionMutationTests {
  @Test(arguments: Fixture.allCases)
  func everyValueReplacedByEveryOther(fixture: Fixture) throws {
    let id = try fixture.connection().id
    let json = try fixture.json()
    var read = 0
    for replacement in try replacements() {
      for damaged in damages(to: json, by: replacement) {
        do throws(APIFailure) {
          let answer = try ConnectionAnswer(Response(status: 200, body: damaged.bytes), for: id)
          let text = document(answer.connection)
          guard (try? JSONValue(parsing: Array(text.utf8))) != nil else {
            Issue.record("this is no JSON: \(text)")
            return
          }
          read += 1
        } catch {
          guard case .unreadable = error else {
            Issue.record("\(error)")
            return
          }
        }
      }
    }
    // Only a damaged id is fatal.
    #expect(read > 200)
  }

  @Test func whatIsReadOfDamagedAnswersObeysTheSchema() throws {
    var documents: [String] = []
    for replacement in [nil, .null, 7, ["value": 1], ["lat": "1", "lng": 2]] as [JSONValue?] {
      for damaged in damages(to: try Fixture.iosSeveralFields.json(), by: replacement) {
        guard let connection = damaged.object.flatMap(Connection.init(reading:)) else { continue }
        documents.append(document(connection))
      }
    }
    #expect(documents.count > 500)
    #expect(try JSONSchemaValidator.problems(of: documents, against: ConnectionSchema.one) == [])
  }

  @Test(arguments: [Fixture.android, .iosSeveralFields])
  func randomBytes(fixture: Fixture) throws {
    let (id, bytes) = (try fixture.connection().id, try fixture.bytes())
    var random = Xorshift(state: 0x9e37_79b9_7f4a_7c15)
    var (read, refused) = (0, 0)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random)) }
      do throws(APIFailure) {
        _ = document(try ConnectionAnswer(Response(status: 200, body: damaged), for: id).connection)
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

  /// Copies of `value`, in each of which one member or element is replaced, or removed.
  private func damages(to value: JSONValue, by replacement: JSONValue?) -> [JSONValue] {
    switch value {
    case .object(let object):
      object.members.flatMap { key, member in
        damages(to: member, by: replacement).map { damaged in with(object, key, damaged) }
          + [with(object, key, replacement)]
      }
    case .array(let elements):
      elements.indices.flatMap { place in
        damages(to: elements[place], by: replacement).map { damaged in
          .array(Array(elements[..<place]) + [damaged] + Array(elements[(place + 1)...]))
        } + [
          .array(Array(elements[..<place]) + [replacement].compactMap(\.self) + Array(elements[(place + 1)...]))
        ]
      }
    default: []
    }
  }

  private func with(_ object: JSONObject, _ key: String, _ value: JSONValue?) -> JSONValue {
    var copy = object
    copy[key] = value
    return .object(copy)
  }
}

/// The same numbers in every run.
private struct Xorshift: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
