import JSON

/// An object of the file, in which no key is repeated.
struct StrictObject {
  let object: JSONObject
  let place: String

  init(_ value: JSONValue, at place: String) throws(ConnectionsFileError) {
    guard case .object(let object) = value else { throw ConnectionsFileError(place, "it is not a JSON object") }
    (self.object, self.place) = (object, place)
    if let key = object.repeatedKey { throw error("the key is repeated", at: key) }
  }

  /// Reads a whole file that has a list of objects, which may be long.
  /// - Parameters:
  ///   - key: that of the list.
  ///   - read: reads one of its objects.
  /// - Returns: the file with an empty list, and the first error in the list.
  static func reading(
    _ bytes: [UInt8], list key: String, _ read: @escaping (StrictObject) throws(ConnectionsFileError) -> Void
  ) throws(ConnectionsFileError) -> (StrictObject, Result<Void, ConnectionsFileError>) {
    var count = 0
    var failure: ConnectionsFileError?
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(document: bytes, list: key) { value in
        guard failure == nil else { return }
        do throws(ConnectionsFileError) {
          try read(try StrictObject(value, at: "\(key)[\(count)]"))
          count += 1
        } catch { failure = error }
      }
    } catch { throw ConnectionsFileError(TextPosition(of: error.offset, in: bytes).description, error.problem) }
    let file = try StrictObject(document, at: "")
    switch file[key] {
    case nil: return (file, .failure(file.error("it is missing", at: key)))
    case .array?, .null?: return (file, failure.map(Result.failure) ?? .success(()))
    default: return (file, .failure(file.error("it is not an array", at: key)))
    }
  }

  subscript(key: String) -> JSONValue? { object[key] }

  func checkVersion(_ version: Int) throws(ConnectionsFileError) {
    guard self["version"]?.int == version else {
      throw error("it is not \(version), the only version that this program reads", at: "version")
    }
  }

  func error(_ message: String, at key: String) -> ConnectionsFileError {
    ConnectionsFileError(place.isEmpty ? key : "\(place).\(key)", message)
  }

  func allow(_ keys: [String]) throws(ConnectionsFileError) {
    for (key, _) in object.members where !keys.contains(key) {
      throw error("the key is not one of \(keys.joined(separator: ", "))", at: key)
    }
  }

  func text(_ key: String) throws(ConnectionsFileError) -> String? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let text = value.string else { throw error("it is not a string", at: key) }
    return text
  }

  func flag(_ key: String) throws(ConnectionsFileError) -> Bool? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let flag = value.bool else { throw error("it is neither true nor false", at: key) }
    return flag
  }

  func objects<Element>(
    _ key: String, _ read: (StrictObject) throws(ConnectionsFileError) -> Element
  ) throws(ConnectionsFileError) -> [Element] {
    guard let value = self[key], !value.isNull else { return [] }
    guard case .array(let values) = value else { throw error("it is not an array", at: key) }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      elements.append(try read(try StrictObject(value, at: (place.isEmpty ? key : "\(place).\(key)") + "[\(index)]")))
    }
    return elements
  }
}
