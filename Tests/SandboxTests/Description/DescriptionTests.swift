import HTTP
import JSON
import Sandbox
import Support
import Testing

/// The description in OpenAPI: it has every route, and every response that the emulator gives in these tests has its
/// schema (``Response/checkDescribed(to:_:host:)``).
@Suite struct DescriptionTests {
  private let description = APIDescription.plain

  @Test func everyOperationIsServed() throws {
    #expect(description.operations.count == 34)
    #expect(Set(description.operations.map(\.id)).count == 34)
    for operation in description.operations {
      var session = EmulatorSession(SandboxState(.plain))
      let response = session.ask(
        try #require(Method(rawValue: operation.method)), try target(of: operation), try headers(of: operation),
        body: operation.json["requestBody"]?["content"]?["application/json"]?["example"]?.text, host: operation.host)
      #expect(response.status == operation.statuses.min(), "\(operation.id): \(response.json.text)")
      let example = operation.content(response.status)?.content["example"]
      if let example, operation.id != "exchangeToken", example.object != nil {
        #expect(response.json == example, "\(operation.id)")
      }
    }
  }

  /// The routes exist only in the table that the description is made of, so a case without a path is never reached.
  @Test func everyRouteHasAPath() throws {
    let source = try Checkout.text("Sources/Sandbox/Route.swift")
    let paths = try ["ConnectPaths", "AppletPaths", "EventPaths"].map {
      try Checkout.text("Sources/Sandbox/\($0).swift")
    }.joined()
    for type in ["enum Route {", "enum PartnerRoute: Equatable {"] {
      let block = try #require(source.split(separator: type).last?.prefix { $0 != "}" })
      let cases = block.matches(of: /(?m)^  case (\w+)/).map { String($0.output.1) }
      #expect(cases.count > 1)
      for name in cases { #expect(paths.contains(".\(name)"), "\(name)") }
    }
  }

  /// The examples conform to their schemas, according to an independent validator.
  @Test func theExamplesConform() throws {
    var cases: [JSONSchemaValidator.Case] = []
    let components = try #require(description.json["components"])
    for operation in description.operations {
      let contents =
        operation.statuses.compactMap { operation.content($0)?.content } + [
          operation.json["requestBody"]?["content"]?["application/json"] ?? .null
        ]
      for content in contents {
        guard let schema = content["schema"]?.object, let example = content["example"] else { continue }
        var whole = schema
        whole["components"] = components
        cases.append(.init(schema: JSONValue.object(whole).text, documents: [example.text]))
      }
    }
    #expect(cases.count > 30)
    #expect(try JSONSchemaValidator.problems(in: cases) == [])
  }

  /// The changes that leave an example valid: members that may be absent, and the contents of free objects.
  private static var harmless: [Regex<AnyRegexOutput>] {
    get throws {
      try [
        #"/(user_connection|radius|next|user_actions|group) removed$"#, #"/user_actions/.*/label removed$"#,
        #"/options/\w+ removed$"#, #"QueryPage: /data/\d+/\w+ removed$"#, #"/fields/\w+ (removed|replaced)$"#,
        #"AppletIdentity: /(service_id|user_login) removed$"#,
      ].map { try Regex($0) }
    }
  }

  @Test func aWrongTypeOrAMissingMemberIsFound() throws {
    let harmless = try Self.harmless
    var tried: Set<String> = []
    var count = 0
    for operation in description.operations {
      for status in operation.statuses {
        guard let content = operation.content(status)?.content, let example = content["example"],
          let schema = content["schema"], tried.insert(schema.text).inserted
        else { continue }
        #expect(description.checker.problems(of: example, against: schema) == [], "\(operation.id)")
        for (path, changed) in Self.damaged(example) {
          let change = "\(schema["$ref"]?.string ?? ""): \(path)"
          guard !harmless.contains(where: { change.firstMatch(of: $0) != nil }) else { continue }
          #expect(!description.checker.problems(of: changed, against: schema).isEmpty, "\(change)")
          count += 1
        }
      }
    }
    #expect(count > 300)
  }

  /// The value with one member or item after the other removed, or replaced with a value of a type that none has.
  private static func damaged(_ value: JSONValue, _ path: String = "") -> [(path: String, value: JSONValue)] {
    switch value {
    case .object(let object):
      return object.members.flatMap { key, member -> [(path: String, value: JSONValue)] in
        func changed(_ member: JSONValue?) -> JSONValue {
          var object = object
          object[key] = member
          return .object(object)
        }
        let path = "\(path)/\(key)"
        return [("\(path) removed", changed(nil)), ("\(path) replaced", changed([[[]]]))]
          + damaged(member, path).map { ($0.path, changed($0.value)) }
      }
    case .array(let items):
      return items.enumerated().flatMap { index, item in
        damaged(item, "\(path)/\(index)").map { path, value in
          var items = items
          items[index] = value
          return (path, .array(items))
        }
      }
    default: return []
    }
  }

  /// A seed file has ids of its own. Without connections, the description has no examples, but all paths.
  @Test func theExamplesAreOfTheSeed() throws {
    let seed = try SandboxSeed(parsing: RuntimeSession.seed.bytes)
    let lamps = APIDescription(Emulator(state: .seed, seed: seed).description(version: "1"))
    #expect(lamps.operations.map(\.id) == description.operations.map(\.id))
    #expect(lamps.parameter("service_id")?["example"] == "lamps")
    #expect(description.parameter("connection_id")?["example"] == "Kd7Rn2Qx")
    #expect(description.json["info"]?["version"] == "1.2.3")
  }

  @Test func statesTheCertaintyOfEveryOperation() {
    for operation in description.operations {
      let marks = operation.json["x-certainty"]?.array?.compactMap(\.string) ?? []
      #expect(!marks.isEmpty && Set(marks).isSubset(of: ["SDK", "DOC", "REPO", "3P", "DECISION"]))
    }
  }

  // MARK: A request with the examples

  private func target(of operation: APIDescription.Operation) throws -> String {
    let path = try operation.path.split(separator: "/").map { segment in
      guard segment.hasPrefix("{") else { return String(segment) }
      return try #require(example(String(segment.dropFirst().dropLast())))
    }
    let names = (operation.json["parameters"]?.array ?? []).compactMap {
      $0["$ref"]?.string?.split(separator: "/").last
    }
    let query = names.compactMap { name in example(String(name)).map { "\(name)=\($0)" } }
    return "/\(path.joined(separator: "/"))\(query.isEmpty ? "" : "?")\(query.joined(separator: "&"))"
  }

  private func example(_ parameter: String) -> String? { description.parameter(parameter)?["example"]?.string }

  private func headers(of operation: APIDescription.Operation) throws -> [Header] {
    let schemes = (operation.json["security"]?.array ?? []).flatMap { $0.object?.members.map(\.key) ?? [] }
    let credential = schemes.contains("UserToken") ? [.token] : schemes.contains("ServiceKey") ? [Header.key] : []
    return credential + (operation.json["requestBody"] == nil ? [] : [.json])
  }
}
