import Output
import Sandbox
import Text
import World

/// A log of requests on stderr for `--verbose`, one line per request.
///
/// `@unchecked Sendable`: while the server runs, only its thread writes to `sink`; the waiting thread writes nothing.
struct AccessLog: @unchecked Sendable {
  private let sink: any ByteSink

  init(_ sink: any ByteSink) { self.sink = sink }

  func note(_ record: RecordedRequest, answered size: Int, hiding secrets: [Secret]) {
    let fault = record.struck.text.map { ", \($0)" } ?? ""
    let shown = ShownRequest(record, hiding: secrets)
    let status = record.status.map(String.init) ?? "-"
    var line = "\(record.at.rfc3339) \(record.method) \(shown.target) \(status) \(size) bytes\(fault)"
    line = TerminalText.escaped(line) + "\n"
    line.withUTF8 { try? sink.write(UnsafeRawBufferPointer($0)) }
  }
}
