package import JSON

/// The description of an HTTP API in OpenAPI 3.1.
package struct APIDocument {
  /// A group of operations: a tag of the document.
  package struct Group {
    package let name: String
    let summary: String
    /// The URL of the real server; nil if it is unknown.
    let server: String?
    package let paths: [APIPath]

    package init(_ name: String, _ summary: String, server: String?, _ paths: [APIPath]) {
      (self.name, self.summary, self.server, self.paths) = (name, summary, server, paths)
    }
  }

  /// Values that occur in a session with the API.
  package struct Examples {
    /// By the name of the parameter.
    package var parameters: [String: JSONValue] = [:]
    /// By the id of the operation.
    package var bodies: [String: JSONValue] = [:]
    /// By the id of the operation and the status.
    package var responses: [String: [Int: JSONValue]] = [:]

    package init() {}
  }

  private let info: JSONObject
  private let groups: [Group]
  private let components: JSONObject
  private let examples: Examples

  /// - Parameter components: the members of `components`: parameters, schemas, security schemes, and the response
  ///   `ServerError`, which stands for all responses that no operation has.
  package init(
    title: String, description: String, version: String, _ groups: [Group], components: JSONObject,
    examples: Examples = Examples()
  ) {
    info = ["title": .string(title), "version": .string(version), "description": .string(description)]
    (self.groups, self.components, self.examples) = (groups, components, examples)
  }

  /// A part of a description that is written as JSON.
  package static func parsed(_ text: String) -> JSONValue {
    guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
      preconditionFailure("a part of the description is not JSON")
    }
    return value
  }

  package var json: JSONValue {
    let paths = groups.flatMap { group in
      group.paths.map { (key: $0.template, value: JSONValue.object(item($0, of: group))) }
    }
    return [
      "openapi": "3.1.0", "info": .object(info), "servers": [Self.localServer],
      "tags": .array(groups.map { ["name": .string($0.name), "description": .string($0.summary)] }),
      "paths": .object(JSONObject(members: paths)), "components": .object(exemplified),
    ]
  }

  /// The server that the document comes from.
  private static let localServer: JSONValue = ["url": "/"]

  private func item(_ path: APIPath, of group: Group) -> JSONObject {
    var item: JSONObject = [:]
    if let server = group.server { item["servers"] = [Self.localServer, ["url": .string(server)]] }
    let parameters = path.segments.compactMap(\.parameter)
    if !parameters.isEmpty { item["parameters"] = .array(parameters.map { Self.reference("parameters", $0) }) }
    for operation in path.operations {
      item[operation.method.rawValue.lowercased()] = .object(json(of: operation, in: group))
    }
    return item
  }

  private func json(of operation: APIOperation, in group: Group) -> JSONObject {
    var json: JSONObject = [
      "operationId": .string(operation.id), "summary": .string(operation.summary), "tags": [.string(group.name)],
      "x-certainty": .array(operation.certainty.map { .string($0.rawValue) }),
      "security": .array(operation.credentials.map { $0 == .none ? [:] : .object([$0.rawValue: []]) }),
    ]
    if !operation.query.isEmpty {
      json["parameters"] = .array(operation.query.map { Self.reference("parameters", $0) })
    }
    if let body = operation.body {
      let contents = body.mediaTypes.map { type in
        (key: type, value: content(body.schema, type == APIResponse.json ? examples.bodies[operation.id] : nil))
      }
      json["requestBody"] = [
        "required": .bool(body.isRequired), "content": .object(JSONObject(members: contents)),
      ]
    }
    var responses = JSONObject()
    for response in operation.responses {
      var member: JSONObject = ["description": .string(response.summary)]
      if let schema = response.schema {
        let example = examples.responses[operation.id]?[response.status]
        member["content"] = .object([response.mediaType: content(schema, example)])
      }
      responses[String(response.status)] = .object(member)
    }
    responses["default"] = Self.reference("responses", "ServerError")
    json["responses"] = .object(responses)
    return json
  }

  private func content(_ schema: String, _ example: JSONValue?) -> JSONValue {
    var content: JSONObject = ["schema": Self.reference("schemas", schema)]
    content["example"] = example
    return .object(content)
  }

  private static func reference(_ kind: String, _ name: String) -> JSONValue {
    ["$ref": .string("#/components/\(kind)/\(name)")]
  }

  /// The components, with examples of the parameters.
  private var exemplified: JSONObject {
    guard let parameters = components["parameters"]?.object else { return components }
    var components = components
    components["parameters"] = .object(
      JSONObject(
        members: parameters.members.map { name, value in
          guard let example = examples.parameters[name], var parameter = value.object else { return (name, value) }
          parameter["example"] = example
          return (name, .object(parameter))
        }))
    return components
  }
}
