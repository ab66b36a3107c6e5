#if canImport(Glibc)
  @preconcurrency import Glibc
#else
  import Darwin
#endif

/// Environment variables, read one by one as they are asked for.
///
/// Not a dictionary: making the first one keyed by strings has the runtime look through every conformance in the
/// program, which costs more than all else that `--version` does.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  private var given: [(name: String, value: String?)]
  private let includesProcess: Bool

  /// Those of this process.
  package static let live = Environment(given: [], includesProcess: true)

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(given: elements.map { ($0, $1) }, includesProcess: false)
  }

  package init(_ dictionary: [String: String]) {
    self.init(given: dictionary.map { ($0, $1) }, includesProcess: false)
  }

  private init(given: [(name: String, value: String?)], includesProcess: Bool) {
    (self.given, self.includesProcess) = (given, includesProcess)
  }

  /// What is not UTF-8 is repaired and not left out, so that a variable never looks unset when it is set.
  package subscript(name: String) -> String? {
    get {
      if let own = given.first(where: { $0.name == name }) { return own.value }
      return includesProcess ? getenv(name).map { String(cString: $0) } : nil
    }
    set {
      given.removeAll { $0.name == name }
      given.append((name, newValue))
    }
  }

  /// The names of all that are set, each once.
  package var names: [String] {
    var names: [String] = given.filter { $0.value != nil }.map(\.name)
    guard includesProcess else { return names }
    var place = Self.block
    while let variable = place.pointee {
      let name = String(String(cString: variable).prefix { $0 != "=" })
      if !given.contains(where: { $0.name == name }), !names.contains(name) { names.append(name) }
      place += 1
    }
    return names
  }

  /// This process's variables as the system keeps them, ended by a null pointer; passed on to child processes.
  static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Glibc)
      environ
    #else
      _NSGetEnviron().pointee
    #endif
  }
}
