import GrabID

/// A property list or a manifest of an app takes memory in proportion to its bytes, and what is read as settings contains
/// no control characters.
enum PropertyListProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    if let list = PropertyList(parsing: bytes) {
      guard size(of: list) <= 2_000_000 + 64 * bytes.count else { return "a list that is larger than its bytes allow" }
      guard depth(of: list) <= 64 else { return "a list that is nested too deeply" }
    }
    _ = try? AppSettings(propertyList: bytes)
    guard let settings = try? AppSettings(manifest: bytes) else { return nil }
    return settings.notes.allSatisfy { $0.count < 200 } ? nil : "a note that a file can make long"
  }

  private static func size(of list: PropertyList) -> Int {
    switch list {
    case .text(let text): 1 + text.utf8.count
    case .array(let values): values.reduce(1) { $0 + size(of: $1) }
    case .dictionary(let members): members.reduce(1) { $0 + $1.key.utf8.count + size(of: $1.value) }
    case .other: 1
    }
  }

  private static func depth(of list: PropertyList) -> Int {
    switch list {
    case .text, .other: 0
    case .array(let values): 1 + (values.map(depth).max() ?? 0)
    case .dictionary(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
    }
  }
}
