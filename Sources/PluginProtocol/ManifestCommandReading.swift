import JSON

// The commands of a manifest, parsed from the form that `ifttt help NAME --json` prints.

extension ManifestCommand {
  /// - Parameter path: the names before the command's own name.
  init(_ value: JSONValue, path: [String]) throws(ManifestError) {
    let beginnings = try Members(
      value, of: path.isEmpty ? "'commands'" : "a command of '\(path.joined(separator: " "))'")
    let name = try beginnings.text("name")
    guard PluginName(parsing: name) != nil else { throw ManifestError("'\(name)' is not a valid command name") }
    guard path.count < 8 else { throw ManifestError("the commands are nested too deeply") }
    let words = path + [name]
    let line = "'\(words.joined(separator: " "))'"
    let members = try Members(value, of: line)
    self.init(
      name: name, summary: try members.text("summary"), discussion: try members.texts("discussion"),
      group: try members.optionalText("group"))
    for option in try members.list("options") { options.append(try Option(option, of: line)) }
    for argument in try members.list("arguments") { arguments.append(try Argument(argument, of: line)) }
    for example in try members.list("examples") { examples.append(try Example(example, of: line)) }
    for command in try members.list("subcommands") { subcommands.append(try ManifestCommand(command, path: words)) }
    if let output = members["output"], !output.isNull { self.output = try ManifestOutput(output, of: line) }
    try check(line)
  }

  private func check(_ line: String) throws(ManifestError) {
    if !subcommands.isEmpty, !(options.isEmpty && arguments.isEmpty) {
      throw ManifestError("\(line) has subcommands, so it cannot have options or arguments")
    }
    if let twice = Self.firstTwice(subcommands.map(\.name)) {
      throw ManifestError("\(line) has two subcommands '\(twice)'")
    }
    let names = options.flatMap { $0.isNegatable ? [$0.name, "no-\($0.name)"] : [$0.name] }
    if let twice = Self.firstTwice(names) { throw ManifestError("\(line) has two options '--\(twice)'") }
    if let twice = Self.firstTwice(options.compactMap { $0.short.map(String.init) }) {
      throw ManifestError("\(line) has two options '-\(twice)'")
    }
    if arguments.count(where: \.isRepeatable) > 1 {
      throw ManifestError("\(line) has more than one repeatable argument")
    }
  }

  private static func firstTwice(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

extension ManifestCommand.Option {
  init(_ value: JSONValue, of command: String) throws(ManifestError) {
    let name = try Members(value, of: "an option of \(command)").text("name")
    guard name.isPlain(besides: "-"), name.utf8.count <= 64 else {
      throw ManifestError("'\(name)' is not a valid option name for \(command)")
    }
    let members = try Members(value, of: "option '--\(name)' of \(command)")
    let short = try members.optionalText("short")
    guard short.map({ $0.utf8.count == 1 && $0.isPlain(besides: "") }) ?? true else {
      throw ManifestError("'short' of \(members.owner) is not one letter or digit")
    }
    let environment = try members.optionalText("environment")
    guard environment?.isVariableName ?? true else {
      throw ManifestError("'environment' of \(members.owner) is not a valid variable name")
    }
    var accepted: ManifestCommand.Value?
    if let value = members["value"], !value.isNull {
      accepted = try ManifestCommand.Value(value, of: members.owner)
    }
    self.init(
      name: name, short: short?.first, help: try members.text("help"), value: accepted,
      isRepeatable: try members.flag("repeatable"), isNegatable: try members.flag("negatable"),
      isAdvanced: try members.flag("advanced"), environment: environment,
      defaultText: try members.optionalText("default"))
  }
}

extension ManifestCommand.Argument {
  init(_ value: JSONValue, of command: String) throws(ManifestError) {
    let members = try Members(value, of: "an argument of \(command)")
    guard let accepted = members["value"] else { throw members.lacking("value", "an object") }
    self.init(
      help: try members.text("help"), isRequired: try members.flag("required"),
      isRepeatable: try members.flag("repeatable"), value: try ManifestCommand.Value(accepted, of: members.owner))
  }
}

extension ManifestCommand.Value {
  init(_ value: JSONValue, of owner: String) throws(ManifestError) {
    let members = try Members(value, of: "the value of \(owner)")
    let word = try members.optionalText("completion") ?? "none"
    self.init(placeholder: try members.text("placeholder"))
    switch word {
    case "none": completion = .none
    case "file": completion = .file
    case "directory": completion = .directory
    case "choices": completion = .choices(try Self.choices(members))
    case "dynamic", "dynamic_list":
      let source = try members.text("source")
      guard source.isPlain(besides: "-_.") else {
        throw ManifestError("'source' of \(members.owner) is not a valid name")
      }
      completion = word == "dynamic" ? .dynamic(source) : .dynamicList(source)
    default: throw ManifestError("'completion' of \(members.owner) has an unknown value")
    }
  }

  private static func choices(_ members: Members) throws(ManifestError) -> [ManifestCommand.Choice] {
    var choices: [ManifestCommand.Choice] = []
    for value in try members.list("choices") {
      let choice = try Members(value, of: "a choice of \(members.owner)")
      choices.append(ManifestCommand.Choice(try choice.text("value"), try choice.optionalText("help")))
    }
    guard !choices.isEmpty else { throw members.lacking("choices", "a list of at least one") }
    return choices
  }
}

extension ManifestCommand.Example {
  init(_ value: JSONValue, of command: String) throws(ManifestError) {
    let members = try Members(value, of: "an example of \(command)")
    self.init(try members.text("arguments"), try members.text("purpose"))
  }
}

extension ManifestOutput {
  init(_ value: JSONValue, of command: String) throws(ManifestError) {
    let members = try Members(value, of: "'output' of \(command)")
    guard let form = Form(rawValue: try members.optionalText("form") ?? "many") else {
      throw ManifestError("'form' of \(members.owner) is neither 'one' nor 'many'")
    }
    var columns: [Column] = []
    for value in try members.list("columns") {
      let column = try Members(value, of: "a column of \(members.owner)")
      columns.append(Column(try column.text("title"), try column.text("field"), isKept: try column.flag("keep")))
    }
    guard !columns.isEmpty else { throw members.lacking("columns", "a list of at least one") }
    var schema: String?
    if let value = members["schema"], !value.isNull {
      guard value.object != nil else { throw members.lacking("schema", "a JSON Schema") }
      schema = value.text
    }
    self.init(form: form, columns: columns, schema: schema)
  }
}
