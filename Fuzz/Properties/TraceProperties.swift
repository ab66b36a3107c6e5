import JSON
import PluginProtocol
import Plugins
import Text
import World

/// What a plugin writes to its stdout and stderr, as `--trace-plugins` and notes show it: one JSON object or one line
/// each, however the bytes are split, without escape sequences, bounded, and without a secret that is known or was
/// exchanged.
///
/// `$` stands for a secret that the program knows. Bytes after a NUL are sent by the program.
enum TraceProperties {
  private static let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"

  static func problem(in bytes: [UInt8]) -> String? {
    let text = bytes.flatMap { $0 == UInt8(ascii: "$") ? Array(secret.utf8) : [$0] }
    return traceProblem(in: text) ?? errorProblem(in: text)
  }

  private static func traceProblem(in bytes: [UInt8]) -> String? {
    let lines = trace(bytes, pieces: .max)
    guard lines == trace(bytes, pieces: 1) else { return "split input is traced differently" }
    for line in lines {
      guard let value = try? JSONValue(parsing: Array(line.utf8)), value["direction"]?.string != nil else {
        return "a line that is not JSON"
      }
      guard !line.hasControls() else { return "a line with a control character" }
      if Array(line.utf8).holds(secret) { return "a secret is shown" }
    }
    return nil
  }

  private static func trace(_ bytes: [UInt8], pieces: Int) -> [String] {
    guard let name = PluginName(parsing: "shelf"), let known = Secret(parsing: secret) else { return [] }
    var lines: [String] = []
    let trace = PluginTrace(masking: [known], now: { Timestamp(milliseconds: 0) }, write: { lines.append($0) })
    let process = trace.process(of: name)
    for (index, part) in bytes.split(separator: 0, omittingEmptySubsequences: false).enumerated() {
      guard index.isMultiple(of: 2) else {
        process.sent(Array(part))
        continue
      }
      var rest = part
      while !rest.isEmpty {
        process.received(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
      }
    }
    process.end()
    return lines
  }

  private static func errorProblem(in bytes: [UInt8]) -> String? {
    var (whole, split) = (ErrorLines(), ErrorLines())
    let lines = whole.receive(bytes) + whole.end()
    var others: [String] = []
    for byte in bytes { others += split.receive([byte]) }
    guard lines == others + split.end() else { return "split errors are shown differently" }
    guard lines.allSatisfy({ !$0.hasControls(except: ["\t"]) }) else { return "a line that a terminal would interpret" }
    guard lines.allSatisfy({ $0.utf8.count <= 3 * ErrorLines.lineLimit }) else { return "a line that is too long" }
    return lines.allSatisfy { PlainText.withoutEscapes($0) == $0 } ? nil : "a sequence that only appears after another"
  }
}
