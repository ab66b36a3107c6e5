/// What an archive says that is in it, before it is unpacked.
package struct ArchiveListing: Sendable, Equatable {
  package let names: [String]
  /// What kind each is, as `ls -l` writes it: `-` for a file, `d` for a folder.
  package let kinds: [Character]
  /// In bytes, of all of them.
  package let size: Int

  /// - Parameters:
  ///   - names: what `tar -t` prints, a name a line.
  ///   - details: what `tar -tv` prints of the same.
  /// - Throws: ``ContentsProblem`` for what cannot be understood.
  package init(names: String, tarDetails details: String) throws(ContentsProblem) {
    // GNU's has owner and group in one word and then the size; BSD's has links, owner, group and then the size.
    try self.init(names, details.split(separator: "\n").map { Self.words($0) }) { words in
      words.count > 2 && words[1].utf8.contains(UInt8(ascii: "/")) ? 2 : 4
    }
  }

  /// - Parameters:
  ///   - names: what `unzip -Z1` prints, a name a line.
  ///   - details: what `unzip -Z -s` prints of the same, between two lines about the archive and one about all.
  /// - Throws: ``ContentsProblem`` for what cannot be understood.
  package init(names: String, zipDetails details: String) throws(ContentsProblem) {
    let lines = details.split(separator: "\n").filter { "-dlbcps?".contains($0.first ?? " ") }
    try self.init(names, lines.map { Self.words($0) }) { _ in 3 }
  }

  private init(
    _ names: String, _ details: [[Substring]], sizeAt place: ([Substring]) -> Int
  ) throws(ContentsProblem) {
    self.names = names.split(separator: "\n").map(String.init)
    var (kinds, size) = ([Character](), 0)
    for words in details {
      let place = place(words)
      guard let kind = words.first?.first, words.indices.contains(place), let bytes = Int(words[place]), bytes >= 0,
        bytes <= PluginContents.sizeLimit
      else { throw ContentsProblem("what the archive lists cannot be understood, or is too large") }
      kinds.append(kind)
      size += bytes
    }
    guard kinds.count == self.names.count else { throw ContentsProblem("what the archive lists cannot be understood") }
    (self.kinds, self.size) = (kinds, size)
  }

  /// - Throws: ``ContentsProblem`` for an archive that would write elsewhere, or holds what no plugin may.
  package func check() throws(ContentsProblem) {
    for name in names {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard !name.hasPrefix("/"), !parts.contains(".."),
        !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\\" })
      else { throw ContentsProblem("the archive has a name that leads elsewhere: '\(name)'") }
    }
    for (name, kind) in zip(names, kinds) where kind != "-" && kind != "d" && kind != "?" {
      throw ContentsProblem("the archive has a link or a device: '\(name)'")
    }
    guard kinds.count(where: { $0 != "d" }) <= PluginContents.fileLimit else {
      throw ContentsProblem("it has more than \(PluginContents.fileLimit) files")
    }
    guard size <= PluginContents.sizeLimit else {
      throw ContentsProblem("it is larger than \(PluginContents.sizeLimit >> 20) MiB")
    }
  }

  private static func words(_ line: Substring) -> [Substring] { line.split(separator: " ") }
}
