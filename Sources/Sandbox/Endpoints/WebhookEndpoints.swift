import HTTP
import JSON

extension Emulator {
  /// `/trigger/{event}/with/key/{key}` and `/trigger/{event}/json/with/key/{key}` of the Webhooks service: an event is
  /// accepted. No Applet of the fixtures runs because of it.
  func fire(_ event: String, key: String, takesJSON: Bool, _ request: Request) throws(ErrorResponse)
    -> EmulatorResponse
  {
    guard key == seed.webhooksKey else {
      let body: JSONValue = ["errors": [["message": "You sent an invalid key."]]]
      return EmulatorResponse(status: 401, body: body.bytes)
    }
    guard Self.isEvent(event) else {
      throw .badRequest("The event's name may contain only letters, digits and underscores")
    }
    // A form is also accepted for the three values. Its content needs no check.
    if takesJSON || request.header("Content-Type")?.utf8.starts(with: "application/json".utf8) == true {
      try checkJSON(of: request, isObject: !takesJSON)
    }
    let text = "Congratulations! You've fired the \(event) \(takesJSON ? "JSON " : "")event"
    return EmulatorResponse(body: Array(text.utf8), mediaType: "text/plain; charset=utf-8")
  }

  private func checkJSON(of request: Request, isObject: Bool) throws(ErrorResponse) {
    guard let body = request.body, !body.isEmpty else { return }
    guard let json = try? JSONValue(parsing: body) else { throw .badRequest("The body is not JSON") }
    if isObject, json.object == nil { throw .badRequest("The body is not a JSON object") }
  }

  private static func isEvent(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
