package import JSON

/// Reads JSON objects that every reader must interpret the same way: no duplicate names, no byte order mark, limited
/// depth.
package enum StrictJSON {
  package static let maximumDepth = 16

  /// Parses an object.
  /// - Throws: ``GrabDocumentError``.
  package static func object(_ bytes: [UInt8]) throws(GrabDocumentError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch {
      throw GrabDocumentError("it is not JSON: \(error)")
    }
    guard case .object(let object) = value else { throw GrabDocumentError("it is not a JSON object") }
    try check(value, depth: 1)
    return object
  }

  private static func check(_ value: JSONValue, depth: Int) throws(GrabDocumentError) {
    switch value {
    case .object(let object):
      guard depth <= maximumDepth else { throw GrabDocumentError("it is nested too deeply") }
      // Compare bytes: texts that Swift treats as equal can be different names for other readers.
      guard Set(object.members.map { Array($0.key.utf8) }).count == object.members.count else {
        throw GrabDocumentError("an object has a duplicate name")
      }
      for member in object.members { try check(member.value, depth: depth + 1) }
    case .array(let elements):
      guard depth <= maximumDepth else { throw GrabDocumentError("it is nested too deeply") }
      for element in elements { try check(element, depth: depth + 1) }
    default: break
    }
  }
}

/// The reason why a document cannot be used: JSON from a service, or the XML of an app. It repeats no part of the
/// document except the issuer in metadata.
package struct GrabDocumentError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
