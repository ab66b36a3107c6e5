package import World

/// A sink that keeps its output, and can fail like a full disk or a closed pipe.
package final class CapturedOutput: ByteSink {
  /// An error to throw for every write after this many bytes.
  package var failure: (after: Int, error: SystemError)?
  private var written: [UInt8] = []
  private var wasRead = false
  private let name: String?
  private let effects: Effects?

  package init() { (name, effects) = (nil, nil) }

  init(mustBeReadAs name: String, _ effects: Effects) { (self.name, self.effects) = (name, effects) }

  deinit {
    guard let name, !wasRead, !written.isEmpty else { return }
    effects?.unexpected("\(name) was not checked, but contains: \(String(decoding: written, as: UTF8.self))")
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let room = failure.map { max(0, $0.after - written.count) } ?? bytes.count
    written += bytes.prefix(room)
    if room < bytes.count, let failure { throw failure.error }
  }

  /// All bytes written so far.
  package var bytes: [UInt8] {
    wasRead = true
    return written
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines of the text, without their line breaks.
  package var lines: [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
