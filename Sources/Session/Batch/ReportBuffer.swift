import World

/// Bytes that are written first and read later. A few are held in memory, more in a temporary file.
final class ReportBuffer {
  /// The maximum number of bytes in memory.
  static let memory = 256 << 10

  private let makeFile: () throws(SystemError) -> any ScratchFile
  private var file: (any ScratchFile)?
  private var stored = 0
  private var bytes: [UInt8] = []

  init(in makeFile: @escaping () throws(SystemError) -> any ScratchFile) { self.makeFile = makeFile }

  func append(_ more: [UInt8]) throws(SystemError) {
    bytes += more
    guard bytes.count > Self.memory else { return }
    let file: any ScratchFile
    if let made = self.file { file = made } else { file = try makeFile() }
    self.file = file
    try file.write(bytes, at: stored)
    stored += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  func forEachPiece(_ body: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    var place = 0
    while let file, place < stored {
      let piece = try file.read(at: place, count: min(Self.memory, stored - place))
      guard !piece.isEmpty else { break }
      place += piece.count
      try body(piece)
    }
    try body(bytes)
  }
}
