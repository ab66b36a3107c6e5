import CExpat

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parser's position in a GPX document, and the items found so far.
struct GPXDocument: ~Copyable {
  /// The innermost relevant element.
  private enum State { case outside, gpx, track, segment, route, point, extensions }
  /// The child of a point whose text is being collected.
  private enum Field { case time, dilution, accuracy }

  let parser: OpaquePointer?
  var found: [TrackItem] = []
  var choice = GPXChoice()
  /// The reason and position if this code stopped the parser.
  private(set) var rejection: TrackError?

  private var state = State.outside
  /// The number of open elements.
  private var depth = 0
  /// The depth of the element that is being skipped, or 0.
  private var skipped = 0
  /// Whether the skipped element is a route next to a track.
  private var isOmitting = false
  /// The depth of a point's `extensions`.
  private var extensionsDepth = 0
  private var namespace = GPXNamespace()
  private var field: Field?
  private var text = ShortText()
  private var point = GPXPoint()
  private var kind = GPXChoice.Kind.track

  init(parser: OpaquePointer?) { self.parser = parser }

  mutating func reject(_ reason: String) {
    rejection = rejection ?? TrackError(reason: reason, at: parser)
    XML_StopParser(parser, 0)
  }

  mutating func begin(_ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
    depth += 1
    guard skipped == 0 else {
      if isOmitting, depth == skipped + 1, isSame(GPXNamespace.localName(name), "rtept") { choice.omit() }
      if depth > GPXReader.depthLimit { reject("elements are nested more than \(GPXReader.depthLimit) levels deep") }
      return
    }
    // Elements of other namespaces are skipped, except those within a point's extensions.
    if state == .extensions { return beginExtension(name) }
    guard state != .outside else { return beginRoot(name, attributes) }
    namespace.enter(attributes, depth: depth)
    guard let name = namespace.localName(name) else { return skip() }
    switch state {
    case .segment where isSame(name, "trkpt"), .route where isSame(name, "rtept"):
      beginPoint(attributes)
    case .point where field != nil: skip()
    case .point where isSame(name, "time"): collectText(for: .time)
    case .point where isSame(name, "hdop"): collectText(for: .dilution)
    case .point where isSame(name, "extensions"):
      state = .extensions
      extensionsDepth = depth
    case .track where isSame(name, "trkseg"):
      choice.add(.segment, of: .track, into: &found)
      state = .segment
    case .gpx where isSame(name, "trk"): begin(.track, as: .track)
    case .gpx where isSame(name, "rte"): begin(.route, as: .route)
    case .gpx where isSame(name, "wpt"):
      kind = .waypoint
      guard choice.counts(.waypoint) else {
        choice.omit()
        return skip()
      }
      beginPoint(attributes)
    default: skip()
    }
  }

  mutating func end() {
    depth -= 1
    guard skipped == 0 || depth < skipped else { return }
    namespace.leave(depth: depth + 1)
    guard skipped == 0 else {
      (skipped, isOmitting) = (0, false)
      return
    }
    if field != nil { return endField() }
    switch state {
    case .outside: break
    case .gpx: state = .outside
    case .track, .route: state = .gpx
    case .segment: state = .track
    case .extensions: if depth < extensionsDepth { state = .point }
    case .point: endPoint()
    }
  }

  mutating func append(_ bytes: UnsafePointer<CChar>, _ count: Int32) {
    text.append(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  private mutating func skip() { skipped = depth }

  private mutating func beginRoot(
    _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) {
    let local = GPXNamespace.localName(name)
    guard isSame(local, "gpx") else { return reject("its root element is '\(String(cString: name))' instead of 'gpx'") }
    namespace.begin(root: name, attributes)
    state = .gpx
  }

  private mutating func begin(_ kind: GPXChoice.Kind, as state: State) {
    self.kind = kind
    guard choice.counts(kind) else {
      isOmitting = true
      return skip()
    }
    self.state = state
    if kind == .route { choice.add(.segment, of: kind, into: &found) }
  }

  private mutating func beginExtension(_ name: UnsafePointer<CChar>) {
    guard field == nil else { return skip() }
    if depth > GPXReader.depthLimit { reject("elements are nested more than \(GPXReader.depthLimit) levels deep") }
    let local = GPXNamespace.localName(name)
    // The names of the horizontal accuracy in files from Apple and from most other programs.
    if isSame(local, "hAcc") || isSame(local, "accuracy") { collectText(for: .accuracy) }
  }

  private mutating func beginPoint(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
    if kind == .waypoint { choice.add(.segment, of: kind, into: &found) }
    guard point.begin(attributes) else {
      choice.add(.broken(reason: point.problem, line: line), of: kind, into: &found)
      return skip()
    }
    state = .point
  }

  private mutating func endPoint() {
    state =
      switch kind {
      case .track: .segment
      case .route: .route
      case .waypoint: .gpx
      }
    choice.add(point.item ?? .broken(reason: point.problem, line: line), of: kind, into: &found)
  }

  private mutating func collectText(for field: Field) {
    self.field = field
    text.clear()
    XML_SetCharacterDataHandler(parser, appendCharacters)
  }

  private mutating func endField() {
    XML_SetCharacterDataHandler(parser, nil)
    switch field {
    case .time: point.readTime(text.text)
    case .dilution: point.readDilution(text.text)
    case .accuracy: point.readAccuracy(text.text)
    case nil: break
    }
    field = nil
  }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }
}

extension TrackError {
  /// Create an error at expat's current position.
  init(reason: String, at parser: OpaquePointer?) {
    self.init(
      reason: reason, line: Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }
}

private func appendCharacters(_ data: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<XML_Char>?, _ count: Int32) {
  guard let bytes else { return }
  data?.assumingMemoryBound(to: GPXDocument.self).pointee.append(bytes, count)
}

@inline(__always)
private func isSame(_ name: UnsafePointer<CChar>, _ other: StaticString) -> Bool {
  strcmp(name, UnsafeRawPointer(other.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
}

/// The namespace prefixes that GPX elements have: the root element's prefix, and others that are declared for the same
/// namespace.
///
/// An undeclared prefix is not an error, because many programs do not declare the prefixes of their extensions.
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
