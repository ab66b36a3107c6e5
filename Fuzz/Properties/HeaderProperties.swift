import HTTP
import World

/// The header section of a response, however a server spells it: the same fields whatever the line ends, none with a
/// line break or a control character around its value, no more bytes than the limit, and no wait that is negative or
/// longer than a day in seconds.
enum HeaderProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    var builder = ResponseBuilder()
    var expected: [[UInt8]] = []
    var isComplete = false
    for line in lines(of: bytes) {
      guard line.withUnsafeBufferPointer({ builder.receive(headerLine: $0) }) else {
        return "a short section is too long"
      }
      let bare = line.prefix { $0 != 0x0d && $0 != 0x0a }
      if line.starts(with: "HTTP/".utf8) {
        (expected, isComplete) = ([], false)
      } else if bare.isEmpty {
        isComplete = true
      } else if !isComplete, let colon = bare.firstIndex(of: UInt8(ascii: ":")), colon > 0 {
        expected.append(Array(bare))
      }
    }
    let response = builder.response(status: 503)
    guard response.headers.count == expected.count else { return "another number of fields" }
    for (field, line) in zip(response.headers, expected) {
      for text in [field.name, field.value] {
        if text.utf8.contains(0x0a) || text.utf8.contains(0x0d) { return "a field with a line break" }
        if let first = text.utf8.first, let last = text.utf8.last,
          [first, last].contains(where: { $0 == 0x20 || $0 == 9 })
        {
          return "a field with blanks around it"
        }
      }
      // Invalid UTF-8 is replaced, which takes at most three bytes for each.
      guard field.name.utf8.count + field.value.utf8.count <= 3 * line.count else { return "a field that grows" }
      guard response.header(field.name) != nil else { return "a field that cannot be found" }
    }
    return waitProblem(of: response)
  }

  /// The lines with their ends, as libcurl passes them on.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    for byte in bytes {
      lines[lines.count - 1].append(byte)
      if byte == 0x0a { lines.append([]) }
    }
    return lines.filter { !$0.isEmpty }
  }

  private static func waitProblem(of response: Response) -> String? {
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    guard let wait = response.retryAfter(now: now) else { return nil }
    if wait < .zero { return "a negative wait" }
    if case .seconds? = response.retryAfter, wait > .seconds(86_400) { return "a wait of more than a day" }
    return nil
  }
}
