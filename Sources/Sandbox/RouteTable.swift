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
  private let paths: [ServedPath<Route>]
  private let index: PathIndex

  init(_ paths: [ServedPath<Route>]) { (self.paths, index) = (paths, PathIndex(paths.map(\.description))) }

  /// The result of a search.
  struct Match: Sendable {
    let route: Route
    let methods: AllowedMethods
  }

  /// - Parameter segments: The decoded segments of the path.
  func match(_ segments: [String]) -> Match? {
    index.find(segments).map { Match(route: paths[$0.position].route($0.parameters), methods: $0.methods) }
  }
}

/// The methods of a path.
struct AllowedMethods: Sendable {
  fileprivate let methods: [Method]

  /// The value of the header `Allow`.
  var text: String { methods.map(\.rawValue).joined(separator: ", ") }

  func check(_ method: Method) throws(ErrorResponse) {
    guard methods.contains(method) else { throw .wrongMethod(allowed: text) }
  }
}

/// The paths of an API, prepared for the search.
private struct PathIndex: Sendable {
  struct Found {
    let position: Int
    let parameters: [String]
    let methods: AllowedMethods
  }

  private struct Pattern: Sendable {
    let position: Int
    let methods: AllowedMethods
    var parameters: [Int] = []
    var literals: [(position: Int, text: String)] = []
  }

  /// The patterns by their number of segments.
  private var patterns: [[Pattern]] = []

  init(_ paths: [APIPath]) {
    for (position, path) in paths.enumerated() {
      // HEAD is GET without the body (RFC 9110, section 9.3.2).
      let methods = path.operations.flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
      var pattern = Pattern(position: position, methods: AllowedMethods(methods: methods))
      let segments = path.segments
      for (number, segment) in segments.enumerated() {
        switch segment {
        case .literal(let text): pattern.literals.append((number, text))
        case .parameter: pattern.parameters.append(number)
        }
      }
      while patterns.count <= segments.count { patterns.append([]) }
      patterns[segments.count].append(pattern)
    }
  }

  func find(_ segments: [String]) -> Found? {
    guard segments.count < patterns.count else { return nil }
    for pattern in patterns[segments.count]
    where pattern.literals.allSatisfy({ segments[$0.position] == $0.text }) {
      return Found(
        position: pattern.position, parameters: pattern.parameters.map { segments[$0] }, methods: pattern.methods)
    }
    return nil
  }
}
