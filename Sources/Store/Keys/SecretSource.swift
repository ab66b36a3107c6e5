import JSON

/// The source of a secret, which the store records instead of the secret itself.
package enum SecretSource: Sendable, Equatable {
  /// The absolute path of a file with the secret.
  case file(String)
  /// A program that prints the secret, and its arguments.
  case command([String])
}

extension SecretSource {
  /// Decodes the stored form; returns nil if it is missing or invalid.
  init?(_ json: JSONValue?) {
    if let path = json?["file"]?.string {
      self = .file(path)
    } else if let arguments = json?["command"]?.array?.compactMap(\.string), !arguments.isEmpty {
      self = .command(arguments)
    } else {
      return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .file(let path): ["file": .string(path)]
    case .command(let arguments): ["command": .array(arguments.map(JSONValue.string))]
    }
  }
}
