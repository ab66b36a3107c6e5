package import World

/// The program that the first line of an executable names.
package struct PluginInterpreter: Equatable {
  /// The path after `#!`, or the name that `env` searches in PATH.
  package let name: String
  /// The path of the program; nil if it is missing.
  package let path: String?

  /// Whether the first line ends as on Windows, which makes the carriage return a part of the name.
  package var endsWithCarriageReturn: Bool { name.utf8.last == UInt8(ascii: "\r") }

  /// The name without that carriage return.
  package var shownName: String {
    endsWithCarriageReturn ? String(decoding: name.utf8.dropLast(), as: UTF8.self) : name
  }

  /// - Returns: nil for a binary.
  package init?(of executable: String, in world: World) {
    guard let words = Self.firstLine(of: executable, in: world.files), let first = words.first else { return nil }
    let search = ProgramSearch(world.environment[.path], in: world.files, skipsRelative: true)
    name = first.hasSuffix("/env") && search.find(first) != nil ? Self.program(of: words.dropFirst()) ?? first : first
    path = search.find(name)
  }

  /// The program among the arguments of `env`.
  private static func program(of words: ArraySlice<String>) -> String? {
    for word in words {
      // -S, which splits the line into words, may precede the first of them without a space.
      let word = word.hasPrefix("-S") ? String(word.dropFirst(2)) : word
      if !word.isEmpty, !word.hasPrefix("-"), !word.contains("=") { return word }
    }
    return nil
  }

  /// The words after `#!`; nil for a binary.
  private static func firstLine(of executable: String, in files: any Files) -> [String]? {
    guard let reader = try? files.reader(executable), let start = try? reader.read(waits: false),
      start.starts(with: Array("#!".utf8))
    else { return nil }
    return start.dropFirst(2).prefix(255).prefix { $0 != UInt8(ascii: "\n") }
      .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(decoding: $0, as: UTF8.self) }
  }
}
