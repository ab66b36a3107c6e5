import JSON

// The commands of a manifest, parsed from the form that `ifttt help NAME --json` prints.

// Each initializer returns nil only if the rest of the value cannot be read.

extension ManifestCommand {
  /// - Parameter path: The names before the command's own name.
  init?(_ value: JSONValue, path: [String], _ problems: ManifestProblems) {
    let owner = path.isEmpty ? "'commands'" : "a command of '\(path.joined(separator: " "))'"
    guard let unnamed = Members(value, of: owner, problems) else { return nil }
    let name = unnamed.text("name")
    if !name.isEmpty, PluginName(parsing: name) == nil { problems.add("'\(name)' is not a valid command name") }
    guard path.count < 8 else {
      problems.add("the commands are nested too deeply")
      return nil
    }
    let fullPath = path + [name]
    let line = name.isEmpty ? owner : "'\(fullPath.joined(separator: " "))'"
    let members = unnamed.named(line)
    self.init(
      name: name, summary: members.text("summary"), discussion: members.texts("discussion"),
      group: members.optionalText("group"),
      options: members.list("options") { Option($0, of: line, $1) },
      arguments: members.list("arguments") { Argument($0, of: line, $1) },
      subcommands: members.list("subcommands") { ManifestCommand($0, path: fullPath, $1) },
      examples: members.list("examples") { Example($0, of: line, $1) },
      output: members["output"].flatMap { ManifestOutput($0, of: line, problems) })
    check(line, problems)
  }

  private func check(_ line: String, _ problems: ManifestProblems) {
    if !subcommands.isEmpty, !(options.isEmpty && arguments.isEmpty) {
      problems.add("\(line) has subcommands, so it cannot have options or arguments")
    }
    if let duplicate = Self.firstDuplicate(subcommands.map(\.name)) {
      problems.add("\(line) has two subcommands '\(duplicate)'")
    }
    let names = options.flatMap { $0.isNegatable ? [$0.name, "no-\($0.name)"] : [$0.name] }
    if let duplicate = Self.firstDuplicate(names) { problems.add("\(line) has two options '--\(duplicate)'") }
    if let duplicate = Self.firstDuplicate(options.compactMap { $0.short.map(String.init) }) {
      problems.add("\(line) has two options '-\(duplicate)'")
    }
    if arguments.count(where: \.isRepeatable) > 1 {
      problems.add("\(line) has more than one repeatable argument")
    }
  }

  /// The first name that occurs again. Empty names are skipped, because each is reported as a problem of its own.
  private static func firstDuplicate(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !$0.isEmpty && !seen.insert($0).inserted }
  }
}

extension ManifestCommand.Option {
  init?(_ value: JSONValue, of command: String, _ problems: ManifestProblems) {
    let owner = "an option of \(command)"
    guard let unnamed = Members(value, of: owner, problems) else { return nil }
    let name = unnamed.text("name")
    if !name.isEmpty, !name.isPlain(allowing: "-") || name.utf8.count > 64 {
      problems.add("'\(name)' is not a valid option name for \(command)")
    }
    let members = unnamed.named(name.isEmpty ? owner : "option '--\(name)' of \(command)")
    let short = members.optionalText("short")
    if let short, short.utf8.count != 1 || !short.isPlain(allowing: "") {
      problems.add("'short' of \(members.owner) is not one letter or digit")
    }
    let environment = members.optionalText("environment")
    if let environment, !environment.isVariableName {
      problems.add("'environment' of \(members.owner) is not a valid variable name")
    }
    self.init(
      name: name, short: short?.first, help: members.text("help"),
      value: members["value"].flatMap { ManifestCommand.Value($0, of: members.owner, problems) },
      isRepeatable: members.flag("repeatable"), isNegatable: members.flag("negatable"),
      isAdvanced: members.flag("advanced"), group: members.optionalText("group"), environment: environment,
      defaultText: members.optionalText("default"))
  }
}

extension ManifestCommand.Argument {
  init?(_ value: JSONValue, of command: String, _ problems: ManifestProblems) {
    guard let members = Members(value, of: "an argument of \(command)", problems) else { return nil }
    let help = members.text("help")
    guard let accepted = members["value"] else {
      members.addLack(of: "value", "an object")
      return nil
    }
    guard let value = ManifestCommand.Value(accepted, of: members.owner, problems) else { return nil }
    self.init(
      help: help, isRequired: members.flag("required"), isRepeatable: members.flag("repeatable"), value: value)
  }
}

extension ManifestCommand.Value {
  init?(_ value: JSONValue, of owner: String, _ problems: ManifestProblems) {
    guard let members = Members(value, of: "the value of \(owner)", problems) else { return nil }
    let word = members.optionalText("completion") ?? "none"
    self.init(placeholder: members.text("placeholder"))
    switch word {
    case "none": completion = .none
    case "file": completion = .file
    case "directory": completion = .directory
    case "choices": completion = .choices(Self.choices(members))
    case "dynamic", "dynamic_list":
      let source = members.text("source")
      if !source.isEmpty, !source.isPlain(allowing: "-_.") {
        problems.add("'source' of \(members.owner) is not a valid name")
      }
      completion = word == "dynamic" ? .dynamic(source) : .dynamicList(source)
    default: problems.add("'completion' of \(members.owner) has an unknown value")
    }
  }

  private static func choices(_ members: Members) -> [ManifestCommand.Choice] {
    if members.list("choices").isEmpty { members.addLack(of: "choices", "a list of at least one") }
    return members.list("choices") { value, problems in
      Members(value, of: "a choice of \(members.owner)", problems).map { choice in
        ManifestCommand.Choice(choice.text("value"), choice.optionalText("help"))
      }
    }
  }
}

extension ManifestCommand.Example {
  init?(_ value: JSONValue, of command: String, _ problems: ManifestProblems) {
    guard let members = Members(value, of: "an example of \(command)", problems) else { return nil }
    self.init(members.text("arguments"), members.text("purpose"))
  }
}

extension ManifestOutput {
  init?(_ value: JSONValue, of command: String, _ problems: ManifestProblems) {
    guard let members = Members(value, of: "'output' of \(command)", problems) else { return nil }
    let form = Form(rawValue: members.optionalText("form") ?? "many")
    if form == nil { problems.add("'form' of \(members.owner) is neither 'one' nor 'many'") }
    if members.list("columns").isEmpty { members.addLack(of: "columns", "a list of at least one") }
    let columns = members.list("columns") { value, problems in
      Members(value, of: "a column of \(members.owner)", problems).map { column in
        Column(column.text("title"), column.text("field"), isKept: column.flag("keep"))
      }
    }
    let schema = members["schema"]
    if let schema, schema.object == nil { members.addLack(of: "schema", "a JSON Schema") }
    self.init(form: form ?? .many, columns: columns, schema: schema?.text)
  }
}
