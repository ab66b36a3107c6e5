import Display
import Sandbox
import Time
import World

/// One line a request on standard error, for `--verbose`.
///
/// Unchecked: only the server's thread writes to the sink while it serves; the one that waits for it writes nothing.
struct AccessLog: @unchecked Sendable {
  private let sink: any ByteSink

  init(_ sink: any ByteSink) { self.sink = sink }

  func note(_ record: RecordedRequest, answered size: Int) {
    let fault = record.struck.text.map { ", \($0)" } ?? ""
    let shown = ShownRequest(record)
    let status = record.status.map(String.init) ?? "-"
    var line = "\(record.at.rfc3339) \(record.method) \(shown.target) \(status) \(size) bytes\(fault)"
    line = TerminalText.escaped(line) + "\n"
    line.withUTF8 { try? sink.write(UnsafeRawBufferPointer($0)) }
  }
}
