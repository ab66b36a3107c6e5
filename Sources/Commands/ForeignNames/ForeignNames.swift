import CommandLine
import Output
import Session
import Text
import World

/// Names from other programs, and this program's equivalents. Used only for arguments that are not recognized.
enum ForeignNames {
  typealias Group = CommandGroup<Action, OutputSchema?>

  static func advice(on name: UnknownName, in root: Group) -> UnknownNameAdvice? {
    switch name {
    case .command(let name, let path, let operands):
      if path.isEmpty, let advice = root.external?.advice(name) { return advice }
      return CommandGuess(root: root).advice(on: name, under: path, operands)
    case .option(let name, let value, let path):
      return advice(onOption: name, value: value ?? "", of: path, in: root)
        ?? advice(onOption: name, of: path, in: root)
    case .operand(_, let path) where path == ["token", "set"]: return adviceOnSecret("--token", of: path, in: root)
    case .operand(let text, let path): return advice(onOperand: text, of: path)
    case .valueOfSwitch("json", let value, ["webhook", "fire"]) where value.hasPrefix("{"):
      return UnknownNameAdvice(hints: ["Pass the JSON body of an event with --json-file FILE, '-' for stdin."])
    case .valueOfSwitch("json", let value, _):
      let message: Hint = "--json does not accept a value; --fields selects fields."
      if ["true", "yes", "on", "1"].contains(value.lowercased()) {
        return UnknownNameAdvice([NameReplacement([])], hints: [message])
      }
      // Repeat nothing else, because the value may be long or a secret.
      let isList = (1...80).contains(value.utf8.count) && value.utf8.allSatisfy(\.canOccurInList)
      return UnknownNameAdvice(isList ? [NameReplacement(["--fields", value])] : [], hints: [message])
    case .valueOfSwitch("dry-run", let value, let path):
      // In other programs, -n is the number of rows.
      guard Int(value) != nil, let option = ["last", "limit"].first(where: { hasOption($0, path, in: root) }) else {
        return nil
      }
      return UnknownNameAdvice(hints: ["-n is short for --dry-run. To limit the rows, pass --\(option) \(value)."])
    case .valueOfSwitch: return nil
    }
  }

  /// Rows of a table: the typed names, an equals sign, and the equivalents separated by `|`, best first.
  static func rows(_ text: String) -> [String: [NameReplacement]] {
    text.split(separator: "\n").reduce(into: [:]) { rows, line in
      guard let sign = line.firstRange(ofText: " = ") else { return }
      let meanings = line[sign.upperBound...].split(separator: "|").map { NameReplacement(String($0)) }
      for typed in line[..<sign.lowerBound].split(separator: ",") {
        rows[typed.split(separator: " ").joined(separator: " "), default: []] += meanings
      }
    }
  }

  private static func hasOption(_ option: String, _ path: [String], in root: Group) -> Bool {
    guard case .command(let command) = root.node(at: path) else { return false }
    return command.schema().options.contains { $0.name == option }
  }

  // MARK: Options

  /// Advice that depends on the value of the option, or on the argument after it.
  private static func advice(
    onOption name: String, value: String, of path: [String], in root: Group
  ) -> UnknownNameAdvice? {
    switch name {
    case "--filter", "--where", "--query", "--selector", "--only", "-l", "-f":
      // `--filter status=enabled`, `-l 5`.
      if let sign = value.firstIndex(of: "="), case let key = String(value[..<sign]), hasOption(key, path, in: root) {
        return UnknownNameAdvice([NameReplacement(["--\(key)", "{=}"])])
      }
      if name == "-l", Int(value) != nil { return UnknownNameAdvice([NameReplacement("--limit {}")]) }
      return value.includes("=") ? UnknownNameAdvice([NameReplacement("--search {=}")]) : nil
    case "--format":
      return value.includes("{{") ? UnknownNameAdvice(hints: [ForeignOptions.templates]) : nil
    case "--order", "--sort-order", "--direction", "--sort-dir", "--dir":
      guard ["asc", "desc", "ascending", "descending"].contains(value.lowercased()),
        hasOption("sort", path, in: root)
      else { return nil }
      return UnknownNameAdvice(hints: [ForeignOptions.descending])
    case "--sort-by", "--order-by":
      // `--sort-by=.name` of kubectl.
      let field = String(value.dropFirst())
      guard value.hasPrefix("."), field.utf8.allSatisfy(\.canOccurInList) else { return nil }
      return UnknownNameAdvice([NameReplacement(["--sort", field], droppingValue: true)])
    case "--data", "-d", "--data-raw", "--body", "--payload", "--json-body":
      // A document as an argument, which is read from a file here.
      let option = ["webhook fire": "--json-file", "configure": "--file"][path.joined(separator: " ")]
      if let option, value.hasPrefix("{") || value.hasPrefix("[") {
        return UnknownNameAdvice([NameReplacement([option, "FILE"], droppingValue: true)])
      }
      guard path == ["api"] else { return nil }
      // `-d name=value` of curl; other bodies are read from a file.
      let isField = value.includes("=") && !value.hasPrefix("{") && !value.hasPrefix("[")
      return UnknownNameAdvice(
        [isField ? NameReplacement("--field {}") : NameReplacement(["--input", "FILE"], droppingValue: true)])
    default: return nil
    }
  }

  private static func advice(onOption name: String, of path: [String], in root: Group) -> UnknownNameAdvice? {
    let noun = path.prefix(1).joined(separator: " ")
    for scope in [path.joined(separator: " "), noun, ""] {
      let key = scope.isEmpty ? name : "\(scope) \(name)"
      let replacements = ForeignOptions.table[key] ?? []
      let (hints, alternatives) = (ForeignOptions.hints[key] ?? [], ForeignOptions.alternatives[key] ?? [])
      guard replacements.isEmpty, hints.isEmpty, alternatives.isEmpty else {
        return UnknownNameAdvice(replacements, hints: hints, alternatives: alternatives)
      }
    }
    if ForeignOptions.secrets.contains(name) { return adviceOnSecret(name, of: path, in: root) }
    return adviceOnField(name, of: path, in: root)
  }

  /// `configure ID --scene Evening`: a field of the connection, used as an option.
  private static func adviceOnField(_ name: String, of path: [String], in root: Group) -> UnknownNameAdvice? {
    guard path.first != "api", path.first != "service", name.hasPrefix("--"),
      let option = fieldOptions[path.joined(separator: " ")],
      case .command(let command) = root.node(at: path),
      NearestNames.of(String(name.dropFirst(2)), among: command.schema().options.map(\.name)).isEmpty
    else { return nil }
    return UnknownNameAdvice([NameReplacement([option, "\(name.dropFirst(2))={VALUE}"])])
  }

  /// The commands whose values are fields of a connection or a request, and the option that sets one.
  private static let fieldOptions = [
    "configure": "--set", "connections run": "--field", "connections query": "--field", "api": "--field",
    "service call": "--set",
  ]

  /// Names the options and variables that accept the secret, because it must not be an argument.
  private static func adviceOnSecret(_ name: String, of path: [String], in root: Group) -> UnknownNameAdvice {
    let accepted = CredentialName.allCases.filter { hasOption(String($0.option.dropFirst(2)), path, in: root) }
    let named = accepted.filter { credential in
      let words = name.drop { $0 == "-" }.split(separator: "-")
      return words.allSatisfy { credential.option.includes(String($0)) }
    }
    let ways = (named.isEmpty ? accepted : named).map { "\($0.option) FILE or set \($0.variable.name)" }
    guard !ways.isEmpty else {
      return UnknownNameAdvice(
        hints: [
          """
          A secret is never an argument: other users can see it. Store it from a file: \
          \(ifttt: "profile set NAME --service-key-file FILE") or \(ifttt: "token set --user-token-file FILE"). Or set \
          \(EnvironmentVariable.serviceKey.name) or \(EnvironmentVariable.userToken.name).
          """
        ])
    }
    let replacements = (named.isEmpty ? accepted : named).map {
      NameReplacement([$0.option, "FILE"], droppingValue: true)
    }
    return UnknownNameAdvice(
      replacements.count == 1 ? replacements : [],
      hints: ["A secret is never an argument: other users can see it. Pass \(ways.joined(separator: ", or "))."])
  }

  // MARK: Operands

  /// `configure ID scene=Evening`: a value without the option that sets it.
  private static func advice(onOperand text: String, of path: [String]) -> UnknownNameAdvice? {
    if ["profile set", "profile create"].contains(path.joined(separator: " ")) {
      return UnknownNameAdvice(hints: ["Pass each setting as an option: --service SLUG, --user-id ID."])
    }
    if text.hasPrefix("."), path != ["api"] { return UnknownNameAdvice([NameReplacement(["--jq", "{0}"])]) }
    if path == ["service", "notify"] { return UnknownNameAdvice([NameReplacement(["--user-id", "{0}"])]) }
    guard let option = fieldOptions[path.joined(separator: " ")] else { return nil }
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      return UnknownNameAdvice(hints: ["Set a value with \(option) NAME=VALUE."])
    }
    return UnknownNameAdvice([NameReplacement([option, "{0}"])])
  }
}

extension UInt8 {
  /// Whether the character can occur in a list of fields such as `id,services.name`.
  fileprivate var canOccurInList: Bool { isLowercase || ",._".utf8.contains(self) }
}
