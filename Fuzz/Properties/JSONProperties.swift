import JSON

/// The parser accepts exactly what RFC 8259 describes, and its values round-trip. The scanner finds the same values
/// in the bytes.
enum JSONProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let read = try? JSONValue(parsing: bytes)
    let isJSON = JSONRule.accepts(bytes, levels: JSONValue.maximumDepth)
    guard (read != nil) == isJSON else { return isJSON ? "rejects valid JSON" : "accepts invalid JSON" }
    scanAll(bytes)
    if let problem = documentProblem(read, bytes) { return problem }
    guard let read else { return nil }
    let written = read.bytes
    guard let again = try? JSONValue(parsing: written), again == read else {
      return "the written JSON has a different value"
    }
    guard again.bytes == written else { return "writing is not stable" }
    guard let indented = try? JSONValue(parsing: read.indented), indented == read else {
      return "the indented form has a different value"
    }
    return bytes.withUnsafeBytes { scanProblem(read, $0) }
  }

  /// A document from a user has the same value, except that it may begin with a byte order mark and may not contain half
  /// of a surrogate pair.
  private static func documentProblem(_ read: JSONValue?, _ bytes: [UInt8]) -> String? {
    do throws(JSONError) {
      let document = try JSONValue(document: bytes)
      let isSame = document == read || bytes.starts(with: [0xef, 0xbb, 0xbf])
      return isSame ? nil : "a document has a different value"
    } catch {
      return read == nil || error.problem == JSONError.halfPair ? nil : "a valid document is rejected"
    }
  }

  /// Compare the first level with what the scanner finds.
  private static func scanProblem(_ value: JSONValue, _ bytes: UnsafeRawBufferPointer) -> String? {
    var scanner = JSONScanner(bytes)
    _ = scanner.next
    do throws(JSONError) {
      switch value {
      case .object(let object):
        for (key, member) in object.members {
          guard let found = try scanner.nextKey() else { return "the scanner ends before '\(key)'" }
          var text: [UInt8] = []
          JSONScanner.appendText(of: scanner.slice(found), to: &text)
          guard text.elementsEqual(key.utf8) else { return "the scanner has a different key than '\(key)'" }
          guard try isSame(member, scanner.skipValue(), bytes) else {
            return "the scanner has a different value for '\(key)'"
          }
        }
        if try scanner.nextKey() != nil { return "the scanner finds one key too many" }
      case .array(let elements):
        for element in elements {
          guard try scanner.nextElement() else { return "the scanner ends early" }
          guard try isSame(element, scanner.skipValue(), bytes) else { return "the scanner has a different element" }
        }
        if try scanner.nextElement() { return "the scanner finds one element too many" }
      default:
        guard try isSame(value, scanner.skipValue(), bytes) else { return "the scanner has a different value" }
      }
      return nil
    } catch {
      return "the scanner fails but the parser does not: \(error)"
    }
  }

  private static func isSame(_ value: JSONValue, _ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
    (try? JSONValue(parsing: Array(bytes[range]))) == value
  }

  /// Run the scanner on arbitrary bytes: it must terminate and stay within them.
  private static func scanAll(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var (objects, arrays, values) = (JSONScanner(buffer), JSONScanner(buffer), JSONScanner(buffer))
      while let key = try? objects.nextKey() {
        var text: [UInt8] = []
        JSONScanner.appendText(of: objects.slice(key), to: &text)
        guard (try? objects.skipValue()) != nil else { break }
      }
      while (try? arrays.nextElement()) == true { guard (try? arrays.skipValue()) != nil else { break } }
      _ = try? values.skipValue()
    }
  }
}
