import CZlib

/// An archive of a plugin's folder, read in memory. Nothing is written before the user has agreed, and no other
/// program is involved.
package enum PluginArchive: Sendable {
  case tar, compressedTar, zip

  package init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".tar") {
      self = .tar
    } else if name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") {
      self = .compressedTar
    } else if name.hasSuffix(".zip") {
      self = .zip
    } else {
      return nil
    }
  }

  /// The kind of an archive that cannot be read, such as `.tar.xz`; nil for another name.
  package static func unsupportedKind(fileName: String) -> String? {
    let name = fileName.lowercased()
    return [
      ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tbz2", ".tar.zst", ".tzst", ".tar.lz", ".tar.z", ".7z", ".rar", ".deb",
      ".rpm", ".dmg", ".pkg", ".whl", ".gz", ".xz", ".bz2", ".zst",
    ].first { name.hasSuffix($0) && PluginArchive(fileName: name) == nil }
  }

  /// The maximum size of an archive, and of the tar inside a compressed archive, in bytes. It leaves room for the
  /// headers of the maximum number of files.
  package static let sizeLimit = PluginContents.sizeLimit + 8 << 20

  /// The plugin's files.
  /// - Throws: ``PluginContentsError`` for an archive that is damaged, too large, or not allowed in a plugin.
  package func files(in bytes: [UInt8]) throws(PluginContentsError) -> [PluginPackage.File] {
    switch self {
    case .tar: try TarReader.contents(of: bytes).pluginFiles
    case .compressedTar: try TarReader.contents(of: GzipReader.decompress(bytes, limit: Self.sizeLimit)).pluginFiles
    case .zip: try ZipReader.contents(of: bytes).pluginFiles
    }
  }
}

/// The files of an archive, counted and checked while they are read. Nothing is written to disk.
///
/// The sizes in an archive's headers are not trusted; these limits apply to its actual content.
struct ArchiveContents {
  /// The kind of entry that a reader found under a name.
  enum Kind { case file(isExecutable: Bool), folder, other }

  private var files: [PluginPackage.File] = []
  private var folders: Set<String> = []
  private var names: Set<String> = []
  private var size = 0

  /// The number of bytes that may still be added.
  var remaining: Int { PluginContents.sizeLimit - size }

  /// Adds an entry.
  /// - Parameter content: reads the file; called only if the content is needed.
  /// - Throws: ``PluginContentsError`` for a name outside the folder, for links and devices, and if a limit is
  ///   exceeded.
  mutating func add(
    _ rawName: some Collection<UInt8>, _ kind: Kind, content: () throws(PluginContentsError) -> [UInt8]
  ) throws(PluginContentsError) {
    let parts = try Self.parts(of: rawName)
    let name = parts.joined(separator: "/")
    switch kind {
    case .other: throw PluginContentsError("the archive contains a link or a device: '\(name)'")
    case .folder: try add(folders: parts)
    case .file(let isExecutable):
      guard !name.isEmpty else { throw .damagedArchive }
      guard names.insert(name).inserted, !folders.contains(name) else { throw Self.duplicate(name) }
      guard names.count <= PluginContents.fileLimit else { throw .manyFiles }
      try add(folders: parts.dropLast())
      // As in a folder, hidden files belong to the author and are skipped.
      guard !parts.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) else { return }
      let bytes = try content()
      guard bytes.count <= remaining else { throw .largeArchive }
      size += bytes.count
      files.append(PluginPackage.File(path: name, isExecutable: isExecutable, bytes: bytes))
    }
  }

  /// Counts a folder and its parents.
  private mutating func add(folders parts: some BidirectionalCollection<String>) throws(PluginContentsError) {
    var path = ""
    for part in parts {
      path += path.isEmpty ? part : "/\(part)"
      guard !names.contains(path) else { throw Self.duplicate(path) }
      folders.insert(path)
      guard folders.count <= PluginContents.fileLimit else { throw .manyFiles }
    }
  }

  /// The files. If all of them are in one top-level folder, as in an archive of a folder, its name is removed.
  var pluginFiles: [PluginPackage.File] {
    guard let top = files.first?.path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }),
      files.allSatisfy({
        $0.path.utf8.starts(with: top) && $0.path.utf8.dropFirst(top.count).first == UInt8(ascii: "/")
      })
    else { return files }
    return files.map { file in
      PluginPackage.File(
        path: String(Substring(file.path.utf8.dropFirst(top.count + 1))), isExecutable: file.isExecutable,
        bytes: file.bytes)
    }
  }

  private static func duplicate(_ name: String) -> PluginContentsError {
    PluginContentsError("the archive contains '\(name)' twice")
  }

  private static func parts(of rawName: some Collection<UInt8>) throws(PluginContentsError) -> [String] {
    let name = String(decoding: rawName, as: UTF8.self)
    guard name.utf8.elementsEqual(rawName) else {
      throw PluginContentsError("the archive contains a name that is not UTF-8: '\(name)'")
    }
    // Split the bytes: Swift combines a slash and a following combining character into one character, but a file system
    // does not.
    let parts = rawName.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    guard rawName.first != UInt8(ascii: "/"), !parts.contains(".."),
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f || $0 == "\\" })
    else { throw PluginContentsError("the archive contains a name outside its folder: '\(name)'") }
    return parts.filter { $0 != "." }
  }
}

extension PluginContentsError {
  static let damagedArchive = PluginContentsError("the archive is damaged, or has the wrong file name extension")
  static let shortArchive = PluginContentsError("the archive is truncated")
  static let largeArchive = PluginContentsError("it is larger than \(PluginContents.sizeLimit >> 20) MiB")
  static let manyFiles = PluginContentsError("it has more than \(PluginContents.fileLimit) files")
}

/// Reads a zip archive through its central directory; files may be stored or deflated.
///
/// The directory is not trusted: its sizes, checksums and names are compared with the data.
struct ZipReader {
  private let bytes: [UInt8]
  private var contents = ArchiveContents()

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an archive.
  /// - Throws: ``PluginContentsError`` for an archive that is damaged, unsupported or not allowed in a plugin.
  static func contents(of bytes: [UInt8]) throws(PluginContentsError) -> ArchiveContents {
    var reader = ZipReader(bytes)
    try reader.read()
    return reader.contents
  }

  private mutating func read() throws(PluginContentsError) {
    guard let end = endOfDirectory else { throw .damagedArchive }
    let (count, size, start) = (number(2, end + 10), number(4, end + 12), number(4, end + 16))
    guard count != 0xffff, size != 0xffff_ffff, start != 0xffff_ffff else {
      throw PluginContentsError("the archive is in Zip64 format, which is not supported")
    }
    guard number(2, end + 4) == 0, number(2, end + 8) == count, start + size <= end else { throw .damagedArchive }
    var offset = start
    for _ in 0..<count { offset = try readEntry(at: offset, before: end) }
  }

  /// The offset of the end-of-directory record, which ends with a comment of at most 65535 bytes.
  private var endOfDirectory: Int? {
    let last = bytes.count - 22
    guard last >= 0 else { return nil }
    return stride(from: last, through: max(0, last - 0xffff), by: -1).first { offset in
      has([0x50, 0x4b, 5, 6], offset) && number(2, offset + 20) == last - offset
    }
  }

  /// - Returns: The offset of the next directory entry.
  private mutating func readEntry(at offset: Int, before end: Int) throws(PluginContentsError) -> Int {
    guard end - offset >= 46, has([0x50, 0x4b, 1, 2], offset) else { throw .damagedArchive }
    let (nameLength, extraLength) = (number(2, offset + 28), number(2, offset + 30) + number(2, offset + 32))
    let next = offset + 46 + nameLength + extraLength
    guard next <= end else { throw .damagedArchive }
    let name = bytes[offset + 46..<offset + 46 + nameLength]
    guard number(2, offset + 8) & 1 == 0 else { throw PluginContentsError("the archive is encrypted") }
    let entry = Entry(
      method: number(2, offset + 10), checksum: number(4, offset + 16), compressedSize: number(4, offset + 20),
      size: number(4, offset + 24), header: number(4, offset + 42))
    let (bytes, remaining) = (self.bytes, contents.remaining)
    try contents.add(name, kind(at: offset, name)) { () throws(PluginContentsError) in
      try entry.content(in: bytes, name, atMost: remaining)
    }
    return next
  }

  /// The kind of an entry. Unix stores the file mode in the upper half of the attributes.
  private func kind(at offset: Int, _ name: ArraySlice<UInt8>) -> ArchiveContents.Kind {
    let isUnix = [3, 19].contains(number(1, offset + 5))
    let mode = isUnix ? number(4, offset + 38) >> 16 : 0
    let isFolder = name.last == UInt8(ascii: "/")
    switch mode & 0o170000 {
    case 0: return isFolder ? .folder : .file(isExecutable: mode & 0o100 != 0)
    case 0o100000 where !isFolder: return .file(isExecutable: mode & 0o100 != 0)
    case 0o040000: return .folder
    default: return .other
    }
  }

  private func number(_ count: Int, _ offset: Int) -> Int { bytes.littleEndian(count, at: offset) }
  private func has(_ mark: [UInt8], _ offset: Int) -> Bool { bytes[offset..<offset + mark.count].elementsEqual(mark) }

  private struct Entry {
    let method: Int
    let checksum: Int
    let compressedSize: Int
    let size: Int
    /// The offset of the file's own header.
    let header: Int

    func content(
      in bytes: [UInt8], _ name: ArraySlice<UInt8>, atMost limit: Int
    ) throws(PluginContentsError) -> [UInt8] {
      guard bytes.count - header >= 30, bytes[header..<header + 4].elementsEqual([0x50, 0x4b, 3, 4]) else {
        throw .damagedArchive
      }
      let nameEnd = header + 30 + bytes.littleEndian(2, at: header + 26)
      let start = nameEnd + bytes.littleEndian(2, at: header + 28)
      guard start <= bytes.count, bytes.count - start >= compressedSize else { throw .shortArchive }
      // If the two headers disagree, programs that trust different headers would see different archives.
      guard bytes[header + 30..<nameEnd].elementsEqual(name), bytes.littleEndian(2, at: header + 8) == method else {
        throw .damagedArchive
      }
      guard size <= limit else { throw .largeArchive }
      let data = bytes[start..<start + compressedSize]
      let content: [UInt8]
      switch method {
      case 0: content = Array(data)
      case 8: content = try Inflate.deflate.decompress(data, limit: size).output
      default: throw PluginContentsError("the archive uses compression method \(method), which is not supported")
      }
      guard content.count == size, Int(crc32(0, content, UInt32(content.count))) == checksum else {
        throw .damagedArchive
      }
      return content
    }
  }
}
