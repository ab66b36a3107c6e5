import World

/// A set of users in a temporary file, as a hash table.
struct UserTable {
  private static let size = UserHash.size
  /// The number of slots that are read at once.
  private static let span = 16

  private let makeFile: () throws(SystemError) -> any ScratchFile
  private var file: any ScratchFile
  /// A power of two.
  private var slots: Int
  private var count = 0

  /// - Parameter slots: the initial size of the table, a power of two.
  init(slots: Int, in makeFile: @escaping () throws(SystemError) -> any ScratchFile) throws(SystemError) {
    (self.makeFile, self.slots) = (makeFile, slots)
    file = try makeFile()
  }

  /// - Returns: whether the user is new.
  mutating func insert(_ user: UserHash) throws(SystemError) -> Bool {
    if count * 2 >= slots { try grow() }
    let key = user.bytes
    guard let slot = try emptySlot(for: key[...], in: file, slots) else { return false }
    try file.write(key, at: slot * Self.size)
    count += 1
    return true
  }

  /// The slot for a key; nil if the table contains the key.
  private func emptySlot(
    for key: ArraySlice<UInt8>, in file: any ScratchFile, _ slots: Int
  ) throws(SystemError) -> Int? {
    var slot = Int(truncatingIfNeeded: key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) & (slots - 1)
    while true {
      let number = min(Self.span, slots - slot)
      let bytes = try file.read(at: slot * Self.size, count: number * Self.size)
      for place in 0..<number {
        let found = bytes.dropFirst(place * Self.size).prefix(Self.size)
        // The end of the file is not written yet.
        if found.count < Self.size || found.allSatisfy({ $0 == 0 }) { return slot + place }
        if found.elementsEqual(key) { return nil }
      }
      slot = (slot + number) & (slots - 1)
    }
  }

  private mutating func grow() throws(SystemError) {
    let larger = try makeFile()
    var offset = 0
    while true {
      let bytes = try file.read(at: offset, count: 1 << 16)
      guard !bytes.isEmpty else { break }
      for start in stride(from: 0, to: bytes.count, by: Self.size) {
        let key = bytes[start..<start + Self.size]
        guard key.contains(where: { $0 != 0 }), let slot = try emptySlot(for: key, in: larger, slots * 2) else {
          continue
        }
        try larger.write(Array(key), at: slot * Self.size)
      }
      offset += bytes.count
    }
    (file, slots) = (larger, slots * 2)
  }
}
