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
    prose(option.help + "." + (option.isRepeatable ? " May be given more than once." : ""))
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
