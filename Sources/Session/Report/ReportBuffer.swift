import World

/// A buffer that is written completely before it is read. Beyond ``memoryLimit``, its bytes are in a temporary file.
final class ReportBuffer {
  /// The maximum number of bytes in memory.
  static let memoryLimit = 256 << 10

  private let makeFile: () throws(SystemError) -> ScratchFile
  private var file: ScratchFile?
  private var fileSize = 0
  private var bytes: [UInt8] = []

  init(in makeFile: @escaping () throws(SystemError) -> ScratchFile) { self.makeFile = makeFile }

  func append(_ more: [UInt8]) throws(SystemError) {
    bytes += more
    guard bytes.count > Self.memoryLimit else { return }
    let file: ScratchFile
    if let made = self.file { file = made } else { file = try makeFile() }
    self.file = file
    try file.write(bytes, at: fileSize)
    fileSize += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  func forEachChunk(_ body: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    var offset = 0
    while let file, offset < fileSize {
      let chunk = try file.read(at: offset, count: min(Self.memoryLimit, fileSize - offset))
      guard !chunk.isEmpty else { break }
      offset += chunk.count
      try body(chunk)
    }
    try body(bytes)
  }
}
