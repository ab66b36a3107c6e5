import HTTP
import JSON
import Sandbox
import Testing

/// The description of the emulator, read as a client of the API reads it.
struct APIDescription {
  let json: JSONValue
  let operations: [Operation]

  struct Operation {
    let method: String
    let path: String
    /// The host of the real server.
    let host: String
    let json: JSONValue

    var id: String { json["operationId"]?.string ?? "" }
    var statuses: [Int] { (json["responses"]?.object?.members ?? []).compactMap { Int($0.key) } }

    /// The media type and its content of a response; nil for a response without a body.
    func content(_ status: Int) -> (type: String, content: JSONValue)? {
      (json["responses"]?[String(status)]?["content"]?.object?.members.first).map { ($0.key, $0.value) }
    }

    fileprivate func fits(_ segments: [Substring]) -> Bool {
      self.segments.count == segments.count && zip(self.segments, segments).allSatisfy { $0 == nil || $0 == $1 }
    }

    /// The segments of the path; nil for a parameter.
    fileprivate let segments: [Substring?]
  }

  static let plain = APIDescription(Emulator(state: SandboxState(.plain)).description(version: "1.2.3"))

  init(_ json: JSONValue) {
    self.json = json
    operations = (json["paths"]?.object?.members ?? []).flatMap { path, item -> [Operation] in
      let server = item["servers"]?.array?.last?["url"]?.string ?? ""
      return (item.object?.members ?? []).filter { $0.value["operationId"] != nil }.map { method, operation in
        Operation(
          method: method.uppercased(), path: path, host: String(server.dropFirst("https://".count)), json: operation,
          segments: path.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? nil : $0 })
      }
    }
  }

  var checker: SchemaChecker { SchemaChecker(schemas: json["components"]?["schemas"]?.object ?? [:]) }

  func parameter(_ name: String) -> JSONValue? { json["components"]?["parameters"]?[name] }

  /// The differences between a response of the emulator and its description.
  func problems(of response: Response, to method: HTTP.Method, path: String, host: String) -> [String] {
    let isReal = host == "ifttt.com" || host.hasSuffix(".ifttt.com")
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let served = operations.filter { (!isReal || $0.host == host) && $0.fits(segments) }
    if served.isEmpty { return [] }
    let name = method == .head ? "GET" : method.rawValue
    guard let operation = served.first(where: { $0.method == name }) else {
      // An invalid escape in the path is found before the method is read.
      let expected = path.contains("%") ? [400, 405] : [405]
      return expected.contains(response.status) ? [] : ["\(response.status) for an undescribed method"]
    }
    guard operation.statuses.contains(response.status) else { return ["\(response.status) is not described"] }
    guard let (type, content) = operation.content(response.status) else {
      return response.body.isEmpty ? [] : ["the body is not described"]
    }
    if method == .head { return [] }
    guard response.header("Content-Type") == "\(type); charset=utf-8" else { return ["the media type is not \(type)"] }
    let text = JSONValue.string(String(decoding: response.body, as: UTF8.self))
    guard let body = type == "text/plain" ? text : try? JSONValue(parsing: response.body) else { return ["not JSON"] }
    return checker.problems(of: body, against: content["schema"] ?? .null)
  }
}

extension Response {
  /// Check that the description has this response.
  func checkDescribed(to method: HTTP.Method, _ target: String, host: String = "127.0.0.1") {
    let path = String(target.prefix { $0 != "?" })
    let problems = APIDescription.plain.problems(of: self, to: method, path: path, host: host)
    #expect(problems == [], "\(method.rawValue) \(target): \(String(decoding: body, as: UTF8.self))")
  }
}
