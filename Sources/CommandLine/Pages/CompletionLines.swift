/// The lines of completion candidates: each value, followed by a tab and its description if it has one.
package struct CompletionLines {
  package private(set) var bytes: [UInt8] = []

  package init() { bytes.reserveCapacity(1 << 14) }

  /// The lines of an earlier completion.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  package mutating func add(_ candidates: [CompletionCandidate]) {
    for candidate in candidates {
      bytes.append(contentsOf: candidate.line.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Adds a candidate from its UTF-8 bytes. Most need no conversion, which would take longer than reading them.
  package mutating func add(_ value: UnsafeRawBufferPointer, _ description: UnsafeRawBufferPointer) {
    guard Prose.isPlainLine(value), description.isEmpty || Prose.isPlainLine(description) else {
      let (value, description) = (String(decoding: value, as: UTF8.self), String(decoding: description, as: UTF8.self))
      return add([CompletionCandidate(value, description)].compactMap { $0 })
    }
    bytes.append(contentsOf: value)
    if !description.isEmpty {
      bytes.append(UInt8(ascii: "\t"))
      bytes.append(contentsOf: description)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
