import HTTP
import JSON
import Text

/// The path segments after the first `/`. Each is decoded separately, so that an encoded `/` stays within its
/// segment.
func pathSegments(of url: WebURL) throws(ErrorResponse) -> [String] {
  var segments: [String] = []
  for segment in url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
    guard let bytes = Percent.bytes(of: segment, plus: .literal) else {
      throw .badRequest("The path has an invalid escape")
    }
    segments.append(String(decoding: bytes, as: UTF8.self))
  }
  return segments
}

/// The value of a query parameter. If it is repeated, the last one counts. An empty value counts as present.
func parameter(_ name: String, of request: Request) -> String? {
  request.url.query.last { $0.name == name }?.value
}

/// The members of the body; nil if there is no body.
func jsonBody(of request: Request) throws(ErrorResponse) -> JSONObject? {
  guard let json = try json(of: request) else { return nil }
  guard let object = json.object else { throw .badRequest("The body is not a JSON object") }
  return object
}

func jsonList(of request: Request) throws(ErrorResponse) -> [JSONValue] {
  guard let list = try json(of: request)?.array else { throw .badRequest("The body is not a JSON array") }
  return list
}

/// The value in the body; nil if there is no body.
private func json(of request: Request) throws(ErrorResponse) -> JSONValue? {
  guard let bytes = request.body, !bytes.isEmpty else { return nil }
  let type = request.header("Content-Type")?.split(separator: ";", omittingEmptySubsequences: false).first
  guard let type, type.filter({ $0 != " " && $0 != "\t" }).lowercased() == "application/json" else {
    throw .badRequest("A body requires Content-Type: application/json")
  }
  guard let json = try? JSONValue(parsing: bytes) else { throw .badRequest("The body is not JSON") }
  return json
}

/// An id from the body, which may be a string or a whole number (C4); nil if it is missing or null.
func identifier(_ key: String, of body: JSONObject) throws(ErrorResponse) -> String? {
  switch body[key] {
  case nil, .null: return nil
  case .string(let text): return text
  case .number(let number) where number.int != nil: return number.text
  default: throw .badRequest("\"\(key)\" must be a string")
  }
}
