package import JSON

/// A command of the plugin as typed: its name, its options by long name, and its arguments.
package struct GrabInvocation: Sendable {
  package let command: String
  package let options: JSONObject
  package let arguments: [String]
  /// Whether the output is machine-readable.
  package let isForPrograms: Bool

  package init(command: String, options: JSONObject = [:], arguments: [String] = [], isForPrograms: Bool = false) {
    (self.command, self.options, self.arguments) = (command, options, arguments)
    self.isForPrograms = isForPrograms
  }

  package func flag(_ name: String) -> Bool { options[name]?.bool ?? false }
  /// The value of a switch; nil if neither of its forms was given.
  func given(_ name: String) -> Bool? { options[name]?.bool }
  func text(_ name: String) -> String? { options[name]?.string }
  func texts(_ name: String) -> [String] {
    options[name].map { $0.array?.compactMap(\.string) ?? [$0.string].compactMap { $0 } } ?? []
  }

  /// The option's value as one of a closed set.
  /// - Throws: ``GrabError`` for any other value.
  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) throws(GrabError)
    -> Choice?
  where Choice.RawValue == String {
    guard let text = text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw GrabError(.badSetting, "--\(name) must be one of \(all)")
    }
    return choice
  }

  /// The option's value in seconds: an integer, optionally followed by `s`, `m`, `h` or `d`.
  func seconds(_ name: String) throws(GrabError) -> Int? {
    guard let text = text(name) else { return nil }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    guard let number = UInt32(unit == nil ? text[...] : text.dropLast()), !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) must be a duration, such as 90s or 5m")
    }
    return Int(number) * (unit ?? 1)
  }

  /// The option's value as a port.
  /// - Throws: ``GrabError`` for an invalid port.
  func port(_ name: String) throws(GrabError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let port = UInt16(text), port > 0, !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) must be a number from 1 to 65535")
    }
    return Int(port)
  }
}

/// The output of a command: rows, which the host prints in any format, or text that is printed unchanged.
package enum GrabOutput: Sendable {
  case rows([JSONValue])
  case text(String)
}
