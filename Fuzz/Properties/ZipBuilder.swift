/// Writes members as a zip archive. Its directory may contradict the files, as ``Lie`` says.
struct ZipBuilder {
  /// What the directory claims about a file that is not true.
  enum Lie: CaseIterable { case none, checksum, size, name, encrypted, method }

  private(set) var bytes: [UInt8] = []
  private(set) var expected = ExpectedArchive()
  private var directory: [UInt8] = []

  init(_ members: [ArchiveMember], lie: Lie, about liar: Int) {
    for (index, member) in members.enumerated() { add(member, index == liar ? lie : .none) }
    let start = bytes.count
    let count = UInt16(members.count)
    bytes += directory + Array("PK\u{5}\u{6}".utf8) + two(0) + two(0) + two(count) + two(count)
    bytes += four(directory.count) + four(start) + two(0)
  }

  private mutating func add(_ member: ArchiveMember, _ lie: Lie) {
    let isFolder = member.kind == .folder
    let content = isFolder ? [] : member.content
    let isPacked = member.kind == .untyped
    let data = isPacked ? packed(content) : content
    let method: UInt16 = lie == .method ? 12 : isPacked ? 8 : 0
    let (name, offset) = (member.name, bytes.count)
    let sum = CRC32Rule.checksum(content) ^ (lie == .checksum ? 1 : 0)
    let size = content.count + (lie == .size ? 1 : 0)
    let facts = two(method) + four(0) + four(Int(sum)) + four(data.count) + four(size)
    bytes += Array("PK\u{3}\u{4}".utf8) + two(20) + two(0) + facts + two(UInt16(name.count)) + two(0)
    bytes += (lie == .name ? name.map { $0 ^ 1 } : name) + data
    directory += Array("PK\u{1}\u{2}".utf8) + [20, 3] + two(20) + two(lie == .encrypted ? 1 : 0) + facts
    directory += two(UInt16(name.count)) + two(0) + two(0) + two(0) + two(0)
    directory += four(mode(member) << 16) + four(offset) + name
    expect(member, content, lie)
  }

  private mutating func expect(_ member: ArchiveMember, _ content: [UInt8], _ lie: Lie) {
    switch member.kind {
    case .file, .untyped, .folder:
      let isFolder = member.kind == .folder
      // A name that ends with a slash is a folder's.
      if !isFolder, member.name.last == UInt8(ascii: "/") { return expected.forbid() }
      let isHidden = member.name.split(separator: UInt8(ascii: "/")).contains {
        $0.first == UInt8(ascii: ".") && $0 != [0x2e]
      }
      // The content of folders and hidden files is not read, so a lie about it does no harm.
      let isRead = !isFolder && !isHidden
      if lie == .encrypted || isRead && lie != .none && !(lie == .name && member.name.isEmpty) {
        expected.forbid()
      }
      expected.add(member.name, isFolder: isFolder, isExecutable: member.isExecutable, content)
    default: expected.forbid()
    }
  }

  /// The mode as Unix programs store it.
  private func mode(_ member: ArchiveMember) -> Int {
    switch member.kind {
    case .file, .untyped: member.isExecutable ? 0o100755 : 0o100644
    case .folder: 0o040755
    case .pipe: 0o010644
    case .device: 0o020644
    default: 0o120777
    }
  }

  /// DEFLATE with blocks that are stored.
  private func packed(_ content: [UInt8]) -> [UInt8] {
    [1] + two(UInt16(content.count)) + two(~UInt16(content.count)) + content
  }

  private func two(_ number: UInt16) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
  private func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
}

/// CRC-32, bit by bit as its definition says.
enum CRC32Rule {
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
  }
}
