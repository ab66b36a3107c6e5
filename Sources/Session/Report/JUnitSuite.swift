import Text
import World

/// The results of a batch as JUnit XML, the format that Jenkins, GitLab and most CI services read.
///
/// No standard defines the format. This is the form of Ant's reports (https://github.com/windyroad/JUnit-Schema),
/// which all of these services accept.
struct JUnitSuite {
  package enum Outcome {
    case success
    case failure(Problem)
    /// The batch itself failed.
    case error(Problem)
    case skipped(String)
  }

  package let name: String
  package let begunAt: Timestamp
  package var time = Duration.zero
  private let cases: ReportBuffer
  private var counts = (tests: 0, failures: 0, errors: 0, skipped: 0)

  /// - Parameter cases: an empty buffer for the test cases, which may not fit in memory.
  init(name: String, begunAt: Timestamp, cases: ReportBuffer) {
    (self.name, self.begunAt, self.cases) = (name, begunAt, cases)
  }

  mutating func add(_ item: String, _ outcome: Outcome, after time: Duration) throws(SystemError) {
    counts.tests += 1
    let className = name.split(separator: " ").joined(separator: ".")
    var text = #"    <testcase name="\#(escaped(item))" classname="\#(escaped(className))" time="\#(time.inSeconds)""#
    switch outcome {
    case .success: text += "/>\n"
    case .failure(let problem):
      counts.failures += 1
      text += ">\n\(element("failure", problem))    </testcase>\n"
    case .error(let problem):
      counts.errors += 1
      text += ">\n\(element("error", problem))    </testcase>\n"
    case .skipped(let message):
      counts.skipped += 1
      text += ">\n      <skipped message=\"\(escaped(message))\"/>\n    </testcase>\n"
    }
    try cases.append(Array(text.utf8))
  }

  private func element(_ name: String, _ problem: Problem) -> String {
    let text = escaped([problem.summary, problem.hint?.text].compactMap(\.self).joined(separator: "\n"))
    let code = escaped(problem.code.rawValue)
    return "      <\(name) message=\"\(escaped(problem.summary))\" type=\"\(code)\">\(text)</\(name)>\n"
  }

  /// Writes the whole document in UTF-8.
  func write(to write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    let sums = "tests=\"\(counts.tests)\" failures=\"\(counts.failures)\" errors=\"\(counts.errors)\""
    // The schema's timestamps have no time zone; this one is in UTC.
    let timestamp = begunAt.rfc3339.dropLast()
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite id="0" package="ifttt" name="\(escaped(name))" \(sums) skipped="\(counts.skipped)" \
      time="\(time.inSeconds)" timestamp="\(timestamp)" hostname="localhost">
          <properties/>

      """
    try write(Array(head.utf8))
    try cases.forEachChunk(write)
    try write(Array("    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n".utf8))
  }
}

/// Escapes text for an attribute or an element. Characters that XML 1.0 cannot represent (section 2.2, Char) are
/// written as `\u{1b}`. Line endings and tabs become references, because an attribute would convert them to spaces.
private func escaped(_ text: String) -> String {
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: result += "&#\(scalar.value);"
    case ..<0x20, 0x7f...0x9f, 0xfffe, 0xffff: result += #"\u{\#(String(scalar.value, radix: 16))}"#
    // Attributes are in double quotes, and messages quote names with apostrophes.
    case 0x27: result += "'"
    default:
      if let reference = MarkupText.reference(to: scalar) {
        result += reference
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

extension Duration {
  /// `1.250`
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\(String(attoseconds / 1_000_000_000_000_000, width: 3))"
  }
}
