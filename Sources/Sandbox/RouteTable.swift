import HTTP

/// A path that the emulator serves: its description, and the route that it leads to.
struct ServedPath<Route: Sendable>: Sendable {
  let description: APIPath
  /// Creates the route from the parameters of the path, in order.
  let route: @Sendable ([String]) -> Route

  init(_ template: String, _ route: @escaping @Sendable ([String]) -> Route, _ operations: [APIOperation]) {
    (description, self.route) = (APIPath(template, operations), route)
  }

  /// A path without parameters.
  init(_ template: String, _ route: Route, _ operations: [APIOperation]) {
    self.init(template, { _ in route }, operations)
  }
}

/// The paths of one API. It finds the path of a request, and is the source of the API's description.
struct RouteTable<Route: Sendable>: Sendable {
  let paths: [ServedPath<Route>]
  /// The patterns by their number of segments.
  private let patterns: [[Pattern]]

  /// The result of a search.
  struct Match: Sendable {
    let route: Route
    private let methods: [Method]

    fileprivate init(_ route: Route, _ methods: [Method]) { (self.route, self.methods) = (route, methods) }

    /// The methods for the header `Allow`.
    var allowed: String { methods.map(\.rawValue).joined(separator: ", ") }
    func allows(_ method: Method) -> Bool { methods.contains(method) }
    func check(_ method: Method) throws(ErrorResponse) {
      guard allows(method) else { throw .wrongMethod(allowed: allowed) }
    }
  }

  init(_ paths: [ServedPath<Route>]) {
    self.paths = paths
    let all = paths.map(Pattern.init)
    let longest = all.map(\.count).max() ?? 0
    patterns = (0...longest).map { count in all.filter { $0.count == count } }
  }

  /// - Parameter segments: The decoded segments of the path.
  func match(_ segments: [String]) -> Match? {
    guard segments.count < patterns.count, let found = patterns[segments.count].first(where: { $0.fits(segments) })
    else { return nil }
    return Match(found.route(found.parameters.map { segments[$0] }), found.methods)
  }

  /// A path, prepared for the search.
  private struct Pattern: Sendable {
    let count: Int
    let route: @Sendable ([String]) -> Route
    let methods: [Method]
    private(set) var parameters: [Int] = []
    private var literals: [(position: Int, text: String)] = []

    init(_ path: ServedPath<Route>) {
      route = path.route
      // HEAD is GET without the body (RFC 9110, section 9.3.2).
      methods = path.description.operations.flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
      let segments = path.description.segments
      count = segments.count
      for (position, segment) in segments.enumerated() {
        switch segment {
        case .literal(let text): literals.append((position, text))
        case .parameter: parameters.append(position)
        }
      }
    }

    func fits(_ segments: [String]) -> Bool { literals.allSatisfy { segments[$0.position] == $0.text } }
  }
}
