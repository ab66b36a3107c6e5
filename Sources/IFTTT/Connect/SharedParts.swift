import HTTP
import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parts of a connection that are the same for every user, as the last response had them.
///
/// They are most of a response, and the responses for thousands of users repeat them byte for byte. A part that was read
/// once is then neither parsed nor written again.
package final class SharedParts {
  private static let parts = ["services", "features", "value_propositions", "cover_image"]
  private static let keys = JSONKeys((parts + ["type"]).map { Array($0.utf8) })

  private struct Known {
    /// The bytes of each part, and of the type; empty for one that the response does not have.
    let bytes: [[UInt8]]
    let connection: Connection
    let text: ConnectionText
  }

  private var known: Known?

  package init() {}

  /// Reads the response to a request for a connection.
  func read(_ response: Response, for id: ConnectionID) throws(APIError) -> SharedConnection {
    if let known, matches(known, response.body) {
      var connection = try FetchedConnection(response, for: id, skipping: Self.parts).connection
      (connection.services, connection.features) = (known.connection.services, known.connection.features)
      (connection.valuePropositions, connection.coverImages) =
        (known.connection.valuePropositions, known.connection.coverImages)
      return SharedConnection(connection: connection, text: known.text)
    }
    let connection = try FetchedConnection(response, for: id).connection
    known = nil
    // Skipped elements are reported by their order in the whole connection, and a list has the parts in its element.
    guard connection.skipped.isEmpty, let bytes = values(in: response.body),
      bytes.last.map({ $0.isEmpty || $0.elementsEqual(#""connection""#.utf8) }) == true
    else {
      return SharedConnection(connection: connection, text: nil)
    }
    let text = connection.text
    known = Known(bytes: bytes, connection: connection, text: text)
    return SharedConnection(connection: connection, text: text)
  }

  private func matches(_ known: Known, _ body: [UInt8]) -> Bool {
    body.withUnsafeBytes { body in
      guard let ranges = Self.ranges(in: body) else { return false }
      return zip(known.bytes, ranges).allSatisfy { bytes, range in
        bytes.count == range.count
          && bytes.withUnsafeBytes { bytes in
            guard let known = bytes.baseAddress, let received = body.baseAddress else { return bytes.isEmpty }
            return memcmp(known, received + range.lowerBound, range.count) == 0
          }
      }
    }
  }

  private func values(in body: [UInt8]) -> [[UInt8]]? {
    body.withUnsafeBytes { body in Self.ranges(in: body)?.map { Array(body[$0]) } }
  }

  /// The values of the parts; nil if one of them is repeated, since then the last one counts.
  private static func ranges(in body: UnsafeRawBufferPointer) -> [Range<Int>]? {
    var scanner = JSONScanner(body)
    var ranges = Array(repeating: 0..<0, count: keys.count)
    guard scanner.next == UInt8(ascii: "{") else { return nil }
    do {
      while let key = try scanner.nextKey() {
        let match = scanner.index(of: key, in: keys)
        let value = try scanner.skipValue()
        guard let match else { continue }
        guard ranges[match].isEmpty else { return nil }
        ranges[match] = value
      }
    } catch {
      return nil
    }
    return ranges
  }
}

/// A connection, and those of its parts that were already written.
package struct SharedConnection {
  package let connection: Connection
  fileprivate let text: ConnectionText?

  init(connection: Connection, text: ConnectionText?) { (self.connection, self.text) = (connection, text) }

  /// The same as ``Connection/document(pending:)``.
  package func document(pending: Bool) -> [UInt8] { connection.document(pending: pending, text ?? connection.text) }
}
