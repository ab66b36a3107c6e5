#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The namespace prefixes that GPX elements have: the root element's prefix, and others that are declared for the same
/// namespace.
///
/// An undeclared prefix is not an error, because many programs forget to declare those of their extensions.
struct GPXNamespace {
  /// A namespace declaration that is in scope.
  private struct Binding {
    /// The prefix including the colon; empty for the default namespace.
    var prefix: [CChar]
    var isGPX: Bool
    /// The depth of the element that contains the declaration.
    var depth: Int
  }

  /// The root element's prefix including the colon. It counts even if it is undeclared.
  private var rootPrefix: [CChar] = []
  /// The root element's namespace; nil if its prefix is undeclared.
  private var uri: [CChar]?
  /// The declarations of the open elements, outermost first.
  private var bindings: [Binding] = []

  mutating func begin(
    root name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) {
    rootPrefix = Array(UnsafeBufferPointer(start: name, count: Self.localName(name) - name))
    let prefix = rootPrefix
    uri = nil
    Self.forEachDeclaration(attributes) { declared, value in
      if declared == prefix { uri = value }
    }
    enter(attributes, depth: 1)
  }

  /// Add the declarations of an element.
  mutating func enter(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>, depth: Int) {
    guard let uri else { return }
    Self.forEachDeclaration(attributes) { prefix, value in
      bindings.append(Binding(prefix: prefix, isGPX: value == uri, depth: depth))
    }
  }

  /// Remove the declarations of elements that are at least this deep.
  mutating func leave(depth: Int) {
    while let last = bindings.last, last.depth >= depth { bindings.removeLast() }
  }

  /// The part of the name after the prefix, or nil if the element is not a GPX element.
  func localName(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
    let hasRootPrefix =
      rootPrefix.isEmpty
      ? strchr(name, CInt(UInt8(ascii: ":"))) == nil : strncmp(name, rootPrefix, rootPrefix.count) == 0
    if hasRootPrefix { return name + rootPrefix.count }
    let local = Self.localName(name)
    let count = local - name
    let binding = bindings.last { $0.prefix.count == count && strncmp($0.prefix, name, count) == 0 }
    return binding?.isGPX == true ? local : nil
  }

  /// The part of a qualified name after the colon.
  static func localName(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    guard let colon = strrchr(name, CInt(UInt8(ascii: ":"))) else { return name }
    return UnsafePointer(colon) + 1
  }

  /// Call `body` with the prefix and the namespace of each `xmlns` attribute.
  private static func forEachDeclaration(
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ body: (_ prefix: [CChar], _ uri: [CChar]) -> Void
  ) {
    var next = attributes
    while let name = next[0], let value = next[1] {
      next += 2
      guard name[0] == CChar(bitPattern: UInt8(ascii: "x")), strncmp(name, "xmlns", 5) == 0 else { continue }
      let uri = Array(UnsafeBufferPointer(start: value, count: strlen(value)))
      if name[5] == 0 { body([], uri) }
      guard name[5] == CChar(bitPattern: UInt8(ascii: ":")) else { continue }
      let prefix = UnsafeBufferPointer(start: name + 6, count: strlen(name + 6))
      body(Array(prefix) + [CChar(bitPattern: UInt8(ascii: ":"))], uri)
    }
  }
}
