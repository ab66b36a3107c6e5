/// A reader for JSON Lines: one object per line, each a position (see ``PositionObject``). Empty lines are skipped.
final class JSONLinesReader: FormatReader {
  /// The maximum line length, in bytes.
  static let lineLimit = 1 << 20
  /// The number of bytes without a line break after which reading fails, because the input is not made of lines.
  static let patience = 64 << 20

  private var lines = LineSplitter(limit: lineLimit)

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    lines.read(bytes) { line, number in Self.receive(line, number, into: &found) }
    if lines.excess > Self.patience {
      throw TrackError(reason: "a line is longer than \(Self.patience >> 20) MiB", line: lines.number + 1)
    }
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    lines.finish { line, number in Self.receive(line, number, into: &found) }
  }

  private static func receive(_ line: UnsafeRawBufferPointer?, _ number: Int, into found: inout [TrackItem]) {
    guard let line else {
      found.append(.broken(reason: "it is longer than \(lineLimit) bytes", line: number))
      return
    }
    var bytes = Array(line)
    if number == 1, bytes.starts(with: ByteOrderMark.utf8) { bytes.removeFirst(ByteOrderMark.utf8.count) }
    guard bytes.contains(where: { $0 > 0x20 }) else { return }
    switch PositionObject.read(bytes) {
    case .position(let position): found.append(.position(position))
    case .nothing: break
    case .broken(let reason): found.append(.broken(reason: reason, line: number))
    }
  }
}
