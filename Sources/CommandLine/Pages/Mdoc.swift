import Text

/// Writes a page in the mdoc(7) language, with all text escaped.
struct Mdoc {
  private(set) var lines: [String] = []

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a macro line unchanged. Text arguments must be escaped with ``argument(_:)``.
  mutating func macro(_ line: String) { lines.append("." + line) }

  /// Adds one paragraph as text lines. A line ends after each sentence, as mdoc recommends.
  mutating func prose(_ paragraph: String) {
    var line = ""
    func flush(_ lines: inout [String]) {
      if !line.isEmpty { lines.append(Mdoc.protectingStart(line)) }
      line = ""
    }
    for word in Prose.words(paragraph) {
      let escaped = Mdoc.word(word)
      if line.utf8.count + 1 + escaped.utf8.count > 76 { flush(&lines) }
      line += line.isEmpty ? escaped : " " + escaped
      if Mdoc.endsSentence(word) { flush(&lines) }
    }
    flush(&lines)
  }

  /// Adds a literal display, for text that is typed or read character by character.
  mutating func display(_ text: String) {
    macro("Bd -literal -offset indent")
    lines.append(Mdoc.protectingStart(Mdoc.literal(Prose.oneLine(text))))
    macro("Ed")
  }

  /// The words of a macro line, each literal and none interpreted as a macro or punctuation.
  static func argument(_ text: String) -> String {
    Prose.words(text).map { guardPrefix(for: $0) + literal($0) }.joined(separator: " ")
  }

  /// The words of a macro line that is prose: hyphens inside words stay hyphens.
  static func title(_ text: String) -> String {
    Prose.words(text).map { guardPrefix(for: $0) + Mdoc.word($0) }.joined(separator: " ")
  }

  /// The prefix of a word on a macro line. It is empty, or a zero-width mark before punctuation and before possible
  /// macro names: two or three characters such as `No`, `Brq` or `%A`.
  private static func guardPrefix(for word: Substring) -> String {
    let scalars = Array(word.unicodeScalars.prefix(4))
    guard let first = scalars.first, first.properties.isAlphabetic || first.properties.numericType != nil else {
      return "\\&"
    }
    let isName = (2...3).contains(scalars.count) && first.properties.isUppercase && !scalars[1].properties.isUppercase
    return isName ? "\\&" : ""
  }

  /// Literal text: hyphens can be pasted into a shell, and quotes stay straight.
  static func literal(_ text: some StringProtocol) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escaped($1, hyphen: "\\-") }
  }

  /// A word of prose. Its hyphens are literal if it looks like an option.
  private static func word(_ word: Substring) -> String {
    let isOption = word.drop { "([\"'`".contains($0) }.first == "-"
    return word.unicodeScalars.reduce(into: "") { $0 += escaped($1, hyphen: isOption ? "\\-" : "-") }
  }

  private static func escaped(_ scalar: Unicode.Scalar, hyphen: String) -> String {
    switch scalar {
    case "\\": "\\(rs"
    case "-": hyphen
    case "'": "\\(aq"
    case "`": "\\(ga"
    case "\"": "\\(dq"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case _ where scalar.isASCII: String(scalar)
    // At least four hexadecimal digits, as in groff's character names.
    default: "\\[u\(String(hex: scalar.value, width: 4, uppercase: true))]"
    }
  }

  /// The text line, with a leading dot escaped: roff would parse the line as a control line otherwise.
  private static func protectingStart(_ line: String) -> String {
    line.utf8.first == UInt8(ascii: ".") ? "\\&" + line : line
  }

  private static func endsSentence(_ word: Substring) -> Bool {
    let bare = word.reversed().drop { ")]\"'".contains($0) }
    return bare.first.map { ".!?".contains($0) } ?? false
  }
}

/// The tagged lists of a man page: options, arguments and the values they accept.
extension Mdoc {
  mutating func list<Element>(_ elements: [Element], item: (inout Mdoc, Element) -> Void) {
    macro("Bl -tag -width Ds")
    for element in elements { item(&self, element) }
    macro("El")
  }

  mutating func item(_ argument: ArgumentSchema) {
    macro("It Ar \(Mdoc.argument(argument.value.placeholder))\(argument.isRepeatable ? " ..." : "")")
    prose(argument.help + ".")
    choices(argument.value.choices)
  }

  mutating func item(_ option: OptionSchema) {
    macro("It \(Mdoc.names(of: option, separator: ","))")
    prose(option.help + "." + (option.isRepeatable ? " Can be repeated." : ""))
    choices(option.choices)
    // A paragraph after the list continues the option's description.
    if lines.last == ".El", option.defaultText != nil || option.environment != nil { macro("Pp") }
    if let text = option.defaultText { prose("Default: \(text).") }
    if let name = option.environment {
      prose("Environment variable:")
      macro("Ev \(Mdoc.argument(name)) .")
    }
  }

  /// The names in the form `Fl o , Fl -output Ar FORMAT`.
  static func names(of option: OptionSchema, separator: String) -> String {
    let short = option.short.map { "Fl \(Mdoc.literal(String($0))) \(separator) " } ?? ""
    let value = option.value.map { " Ar \(Mdoc.argument($0.placeholder))" } ?? ""
    return "\(short)Fl \(Mdoc.literal(String(option.longLabel.dropFirst())))\(value)"
  }

  private mutating func choices(_ choices: [Choice]) {
    guard !choices.isEmpty else { return }
    guard choices.contains(where: { $0.help != nil }) else {
      prose("One of: \(choices.map(\.value).joined(separator: ", ")).")
      return
    }
    macro("Pp")
    macro("Bl -tag -width Ds -compact")
    for choice in choices {
      macro("It Cm \(Mdoc.argument(choice.value))")
      if let help = choice.help { prose(Prose.capitalized(help) + ".") }
    }
    macro("El")
  }
}
