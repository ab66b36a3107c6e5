import Text

/// Reads a tar archive: v7, POSIX (ustar and pax) and GNU.
struct TarReader {
  private static let block = 512
  /// The maximum size of an extension header, in bytes.
  private static let extensionLimit = 1 << 20

  private let bytes: [UInt8]
  private var offset = 0
  /// The values from extension headers that apply to the next entry.
  private var longName: [UInt8]?
  private var longSize: Int?
  private var contents = ArchiveContents()

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an archive.
  /// - Throws: ``PluginContentsError`` for an archive that is damaged, unsupported or not allowed in a plugin.
  static func contents(of bytes: [UInt8]) throws(PluginContentsError) -> ArchiveContents {
    var reader = TarReader(bytes)
    while let header = try reader.header() { try reader.read(header) }
    return reader.contents
  }

  /// The header at the current offset; nil at the end.
  private func header() throws(PluginContentsError) -> ArraySlice<UInt8>? {
    guard offset < bytes.count else { return nil }
    guard bytes.count - offset >= Self.block else { throw .shortArchive }
    let header = bytes[offset..<offset + Self.block]
    guard header.contains(where: { $0 != 0 }) else { return nil }
    // The checksum counts its own field as spaces.
    let sum = header.enumerated().reduce(0) { sum, byte in
      sum + (148..<156 ~= byte.offset ? 0x20 : Int(byte.element))
    }
    guard (try? Self.number(field(148, 8))) == sum else { throw .damagedArchive }
    return header
  }

  private mutating func read(_ header: ArraySlice<UInt8>) throws(PluginContentsError) {
    let type = header[offset + 156]
    let isExtension = [UInt8(ascii: "x"), UInt8(ascii: "g"), UInt8(ascii: "L"), UInt8(ascii: "K")].contains(type)
    let size: Int
    if let longSize, !isExtension { size = longSize } else { size = try Self.number(field(124, 12)) }
    let name = longName ?? shortName
    let isExecutable = try Self.number(field(100, 8)) & 0o100 != 0
    let start = offset + Self.block
    guard size <= bytes.count - start else { throw .shortArchive }
    let data = bytes[start..<start + size]
    offset = min(bytes.count, start + (size + Self.block - 1) / Self.block * Self.block)
    if isExtension { return try readExtension(type, data) }
    (longName, longSize) = (nil, nil)
    switch type {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"):
      // Before POSIX, a folder was a file whose name ended with a slash.
      let isFolder = name.last == UInt8(ascii: "/")
      guard !isFolder || size == 0 else { throw .damagedArchive }
      try contents.add(name, isFolder ? .folder : .file(isExecutable: isExecutable)) { Array(data) }
    case UInt8(ascii: "5"):
      guard size == 0 else { throw .damagedArchive }
      try contents.add(name, .folder) { [] }
    // A volume label.
    case UInt8(ascii: "V"): break
    default: try contents.add(name, .other) { [] }
    }
  }

  private mutating func readExtension(_ type: UInt8, _ data: ArraySlice<UInt8>) throws(PluginContentsError) {
    guard data.count <= Self.extensionLimit else { throw .damagedArchive }
    switch type {
    case UInt8(ascii: "L"): longName = Array(data.prefix { $0 != 0 })
    // The target of a link; the link itself is rejected when its entry follows.
    case UInt8(ascii: "K"): break
    default:
      for (key, value) in try Self.records(data) {
        // The size and name of a sparse file differ from those in its header.
        guard !key.hasPrefix("GNU.sparse."), type == UInt8(ascii: "x") || key != "path" && key != "size" else {
          throw PluginContentsError("the archive uses '\(key)', which is not supported")
        }
        switch key {
        case "path": longName = Array(value)
        case "size":
          guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else { throw .damagedArchive }
          longSize = size
        default: break
        }
      }
    }
  }

  /// The records of a pax header, each `LENGTH KEY=VALUE` and a line feed.
  private static func records(_ data: ArraySlice<UInt8>) throws(PluginContentsError) -> [(String, ArraySlice<UInt8>)] {
    var (rest, records) = (data, [(String, ArraySlice<UInt8>)]())
    while !rest.isEmpty {
      guard let blank = rest.firstIndex(of: UInt8(ascii: " ")),
        let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
        length > blank - rest.startIndex + 1, length <= rest.count
      else { throw .damagedArchive }
      let record = rest[(blank + 1)..<(rest.startIndex + length)]
      guard record.last == UInt8(ascii: "\n"), let equals = record.firstIndex(of: UInt8(ascii: "=")) else {
        throw .damagedArchive
      }
      records.append((String(decoding: record[..<equals], as: UTF8.self), record[(equals + 1)...].dropLast()))
      rest = rest.dropFirst(length)
    }
    return records
  }

  /// The name in the header. POSIX may store its beginning in a separate field.
  private var shortName: [UInt8] {
    let (name, prefix) = (Array(field(0, 100).prefix { $0 != 0 }), field(345, 155).prefix { $0 != 0 })
    let isPOSIX = field(257, 6).elementsEqual(Array("ustar".utf8) + [0])
    return isPOSIX && !prefix.isEmpty ? prefix + [UInt8(ascii: "/")] + name : name
  }

  private func field(_ start: Int, _ count: Int) -> ArraySlice<UInt8> {
    bytes[offset + start..<offset + start + count]
  }

  /// Octal digits between spaces and NULs. GNU stores larger numbers in another format, but no file of a plugin may
  /// be that large.
  private static func number(_ field: ArraySlice<UInt8>) throws(PluginContentsError) -> Int {
    guard field.first.map({ $0 < 0x80 }) ?? true else { throw .largeArchive }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }) else { throw .damagedArchive }
    return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
  }
}

/// Writes the files of a plugin as a tar archive (ustar). The archive has no times, owners or other facts of this
/// machine, so equal files give equal archives.
package enum TarWriter {
  private static let block = 512

  /// - Parameter folder: the name of the folder that the archive contains.
  /// - Throws: ``PluginContentsError`` for a path that is too long for the format.
  package static func archive(
    of files: [PluginPackage.File], in folder: String
  ) throws(PluginContentsError) -> [UInt8] {
    var bytes: [UInt8] = []
    for file in files {
      bytes += try header(path: "\(folder)/\(file.path)", file)
      bytes += file.bytes
      bytes += [UInt8](repeating: 0, count: (block - file.bytes.count % block) % block)
    }
    return bytes + [UInt8](repeating: 0, count: 2 * block)
  }

  private static func header(path: String, _ file: PluginPackage.File) throws(PluginContentsError) -> [UInt8] {
    let (prefix, name) = try split(path)
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: some Sequence<UInt8>, at start: Int) {
      for (offset, byte) in text.enumerated() { header[start + offset] = byte }
    }
    put(name, at: 0)
    put(octal(file.isExecutable ? 0o755 : 0o644, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(file.bytes.count, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    // The checksum counts its own field as spaces.
    put([UInt8](repeating: 0x20, count: 8), at: 148)
    put("0".utf8, at: 156)
    put("ustar\u{0}00".utf8, at: 257)
    put(prefix, at: 345)
    put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
    return header
  }

  /// The path in the two fields of the header, of 155 and 100 bytes. They meet at a slash.
  private static func split(_ path: String) throws(PluginContentsError) -> (prefix: [UInt8], name: [UInt8]) {
    let bytes = Array(path.utf8)
    if bytes.count <= 100 { return ([], bytes) }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      if index <= 155, bytes.count - index - 1 <= 100 { return (Array(bytes[..<index]), Array(bytes[(index + 1)...])) }
    }
    throw PluginContentsError("the path '\(path)' is too long for an archive")
  }

  private static func octal(_ number: Int, digits: Int) -> [UInt8] {
    Array(String(number, width: digits, radix: 8).utf8)
  }
}
