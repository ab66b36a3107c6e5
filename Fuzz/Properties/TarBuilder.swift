/// Writes members as a tar archive, with correct checksums, which a fuzzer would not find.
struct TarBuilder {
  private(set) var bytes: [UInt8] = []
  private(set) var expected = ExpectedArchive()
  private var longName: [UInt8]?
  /// Whether the next member's size is in a record, and its header's own size is wrong.
  private var hasLongSize = false

  init(_ members: [ArchiveMember]) {
    for member in members { add(member) }
    bytes += [UInt8](repeating: 0, count: 1024)
  }

  private mutating func add(_ member: ArchiveMember) {
    let name = Array(member.name.prefix(100))
    switch member.kind {
    case .file: addFile(member, name, "0")
    case .untyped: addFile(member, name, "\0")
    case .folder:
      put(name, "5", [], member.isExecutable)
      expected.add(longName ?? name, isFolder: true, isExecutable: false, [])
      longName = nil
    case .hardLink: addOther(name, "1")
    case .symbolicLink: addOther(name, "2")
    case .device: addOther(name, "3")
    case .pipe: addOther(name, "6")
    case .sparse: addOther(name, "S")
    case .unknown: addOther(name, "Z")
    case .longName:
      put(Array("././@LongLink".utf8), "L", member.content + [0], false)
      longName = Array(member.content.prefix { $0 != 0 })
    case .longLink: put(Array("././@LongLink".utf8), "K", member.content + [0], false)
    case .paxPath:
      put(name, "x", record("path", member.content), false)
      longName = member.content
    case .paxSize:
      if member.isExecutable { hasLongSize = true } else { addWrongSize(member, name) }
    case .paxOther: put(name, "x", record("mtime", member.content), false)
    case .paxSparse:
      put(name, "x", record("GNU.sparse.major", member.content), false)
      expected.forbid()
    case .globalPath:
      put(name, "g", record("path", member.content), false)
      expected.forbid()
    case .label:
      put(name, "V", [], false)
      longName = nil
    }
  }

  private mutating func addFile(_ member: ArchiveMember, _ name: [UInt8], _ type: Unicode.Scalar) {
    put(name, type, member.content, member.isExecutable)
    let path = longName ?? name
    let isFolder = path.last == UInt8(ascii: "/")
    if isFolder, !member.content.isEmpty { expected.forbid() }
    expected.add(path, isFolder: isFolder, isExecutable: member.isExecutable, member.content)
    longName = nil
  }

  private mutating func addOther(_ name: [UInt8], _ type: Unicode.Scalar) {
    put(name, type, [], false)
    expected.forbid()
  }

  /// A size that is not a number.
  private mutating func addWrongSize(_ member: ArchiveMember, _ name: [UInt8]) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    put(name, "x", record("size", [UInt8(ascii: "-")] + member.content.filter { !digits.contains($0) }), false)
    expected.forbid()
  }

  private mutating func put(_ name: [UInt8], _ type: Unicode.Scalar, _ content: [UInt8], _ isExecutable: Bool) {
    let isExtension = ["x", "g", "L", "K"].contains(type)
    if hasLongSize, !isExtension {
      hasLongSize = false
      put([], "x", record("size", Array(String(content.count).utf8)), false)
      return put(name, type, content, isExecutable, claiming: content.count + 1)
    }
    put(name, type, content, isExecutable, claiming: content.count)
  }

  private mutating func put(
    _ name: [UInt8], _ type: Unicode.Scalar, _ content: [UInt8], _ isExecutable: Bool, claiming size: Int
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func set(_ text: some Sequence<UInt8>, at start: Int) {
      for (offset, byte) in text.enumerated() { header[start + offset] = byte }
    }
    set(name, at: 0)
    set((isExecutable ? "0000755" : "0000644").utf8, at: 100)
    set(octal(size, 11), at: 124)
    set([UInt8](repeating: 0x20, count: 8), at: 148)
    header[156] = UInt8(type.value)
    set("ustar\u{0}00".utf8, at: 257)
    set(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0], at: 148)
    bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  private func octal(_ number: Int, _ digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
  }

  /// A pax record begins with its own length in decimal digits.
  private func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
    let rest = Array(" \(key)=".utf8) + value + [UInt8(ascii: "\n")]
    var length = rest.count + 1
    while String(length).utf8.count + rest.count != length { length += 1 }
    return Array(String(length).utf8) + rest
  }
}
