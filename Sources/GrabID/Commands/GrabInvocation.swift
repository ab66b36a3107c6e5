package import JSON

/// A command of the plugin as somebody typed it: its name, its options by their long names, its arguments.
package struct GrabInvocation: Sendable {
  package let command: String
  package let options: JSONObject
  package let arguments: [String]
  /// Whether the output is for a program.
  package let isForPrograms: Bool

  package init(command: String, options: JSONObject = [:], arguments: [String] = [], isForPrograms: Bool = false) {
    (self.command, self.options, self.arguments) = (command, options, arguments)
    self.isForPrograms = isForPrograms
  }

  package func flag(_ name: String) -> Bool { options[name]?.bool ?? false }
  /// Nil where the switch was not given either way.
  func given(_ name: String) -> Bool? { options[name]?.bool }
  func text(_ name: String) -> String? { options[name]?.string }
  func texts(_ name: String) -> [String] {
    options[name].map { $0.array?.compactMap(\.string) ?? [$0.string].compactMap { $0 } } ?? []
  }

  /// - Throws: ``GrabError`` for a value that is none of them.
  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) throws(GrabError)
    -> Choice?
  where Choice.RawValue == String {
    guard let text = text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw GrabError(.badSetting, "--\(name) is one of \(all)")
    }
    return choice
  }

  /// Whole seconds, or with `s`, `m`, `h` or `d` behind them.
  func seconds(_ name: String) throws(GrabError) -> Int? {
    guard let text = text(name) else { return nil }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    guard let number = UInt32(unit == nil ? text[...] : text.dropLast()), !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) is a duration, as 90s or 5m")
    }
    return Int(number) * (unit ?? 1)
  }

  /// - Throws: ``GrabError`` for what is no port.
  func port(_ name: String) throws(GrabError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let port = UInt16(text), port > 0, !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) is a number from 1 to 65535")
    }
    return Int(port)
  }
}

/// What a command gives: rows, which the host prints in any format, or a text as it is.
package enum GrabOutput: Sendable {
  case rows([JSONValue])
  case text(String)
}
