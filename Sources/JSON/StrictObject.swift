extension JSONObject {
  /// The first key that occurs again.
  package var repeatedKey: String? {
    var seen: Set<String> = []
    return members.first { !seen.insert($0.key).inserted }?.key
  }
}

/// The first error in a document, and its position.
package struct DocumentError: Error, Equatable {
  /// Such as `connections[3].features[0].fields.scene`, or `line 4, column 7`; empty for the whole document.
  package var path: String
  package var message: String

  package init(_ path: String, _ message: String) { (self.path, self.message) = (path, message) }
}

/// An object of a document that may have been written by hand. It is read strictly: a misspelled key would otherwise
/// leave something unset without notice.
package struct StrictObject {
  package let object: JSONObject
  /// The path in the document; empty for the document itself.
  package let path: String

  /// - Parameter path: the path in the document; empty for the document itself.
  package init(_ object: JSONObject, at path: String) { (self.object, self.path) = (object, path) }

  /// - Throws: ``DocumentError`` if the value is not an object, or if a key is repeated in it.
  package init(_ value: JSONValue, at path: String) throws(DocumentError) {
    guard case .object(let object) = value else { throw DocumentError(path, "it is not a JSON object") }
    self.init(object, at: path)
    if let key = object.repeatedKey { throw error("the key is repeated", at: key) }
  }

  /// Reads a whole file that has a list of objects, which may be long.
  /// - Parameters:
  ///   - key: the key of the list.
  ///   - read: reads one of its objects.
  /// - Returns: the file with an empty list, and the first error in the list.
  package static func reading(
    _ bytes: [UInt8], list key: String, _ read: @escaping (StrictObject) throws(DocumentError) -> Void
  ) throws(DocumentError) -> (StrictObject, Result<Void, DocumentError>) {
    var count = 0
    var failure: DocumentError?
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(document: bytes, list: key) { value in
        guard failure == nil else { return }
        do throws(DocumentError) {
          try read(try StrictObject(value, at: "\(key)[\(count)]"))
          count += 1
        } catch { failure = error }
      }
    } catch {
      let position = bytes.withUnsafeBytes { bytes in
        var lines = LineCount(bytes)
        return "line \(lines.number(at: error.offset)), column \(lines.column(at: error.offset))"
      }
      throw DocumentError(position, error.problem)
    }
    let file = try StrictObject(document, at: "")
    switch file[key] {
    case nil: return (file, .failure(file.error("it is missing", at: key)))
    case .array?, .null?: return (file, failure.map(Result.failure) ?? .success(()))
    default: return (file, .failure(file.error("it is not an array", at: key)))
    }
  }

  package subscript(key: String) -> JSONValue? { object[key] }

  /// - Throws: ``DocumentError`` unless the key `version` has this value.
  package func checkVersion(_ version: Int) throws(DocumentError) {
    guard self["version"]?.int == version else {
      throw error("it is not \(version), the only version that this program reads", at: "version")
    }
  }

  /// - Parameter key: the key that the error is about; nil for the object itself.
  package func error(_ message: String, at key: String? = nil) -> DocumentError {
    guard let key else { return DocumentError(path, message) }
    return DocumentError(path.isEmpty ? key : "\(path).\(key)", message)
  }

  /// Checks that the object has no keys other than these.
  /// - Parameter subject: the name of the key in the message.
  /// - Throws: ``DocumentError`` for the first key that is not one of these.
  package func allow(_ keys: [String], subject: String = "the key") throws(DocumentError) {
    for (key, _) in object.members where !keys.contains(key) {
      throw error("\(subject) is not one of \(keys.filter { $0 != "$schema" }.joined(separator: ", "))", at: key)
    }
  }

  /// The text under a key; nil if it is missing or null.
  package func text(_ key: String) throws(DocumentError) -> String? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let text = value.string else { throw error("it is not a string", at: key) }
    return text
  }

  /// The truth value under a key; nil if it is missing or null.
  package func flag(_ key: String) throws(DocumentError) -> Bool? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let flag = value.bool else { throw error("it is neither true nor false", at: key) }
    return flag
  }

  /// The objects in the list under a key; empty if it is missing or null.
  package func objects<Element>(
    _ key: String, _ read: (StrictObject) throws(DocumentError) -> Element
  ) throws(DocumentError) -> [Element] {
    guard let value = self[key], !value.isNull else { return [] }
    guard case .array(let values) = value else { throw error("it is not an array", at: key) }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      elements.append(try read(try StrictObject(value, at: error("", at: "\(key)[\(index)]").path)))
    }
    return elements
  }
}
