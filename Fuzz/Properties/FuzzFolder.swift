import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A private folder of its own for one input, below TMPDIR. It is removed at the end.
final class FuzzFolder {
  let path: String
  private let files = LiveFiles(interruption: NothingThere())

  init(_ name: String) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    path = "\(parent)/ifttt-fuzz-\(name)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    empty()
  }

  deinit { try? files.removeFolder(path) }

  subscript(name: String) -> String { "\(path)/\(name)" }

  /// Removes everything in it.
  func empty() {
    try? files.removeFolder(path)
    try? files.makeFolder(path)
  }

  func write(_ bytes: [UInt8], to name: String) {
    guard let stream = fopen(self[name], "wb") else { fatalError("cannot write \(self[name])") }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
    chmod(self[name], 0o600)
  }

  /// The bytes of a file; nil if there is none.
  func bytes(_ name: String) -> [UInt8]? { try? files.readRegular(self[name], limit: 1 << 30) }

  func makeFolder(_ name: String) { try? files.makeFolder(self[name]) }

  func removeFolder(_ name: String) { try? files.removeFolder(self[name]) }

  func names(in name: String) -> [String] { (try? files.names(in: self[name])) ?? [] }
}
