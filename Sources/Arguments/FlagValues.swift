// Options that take a value: one, one an occurrence, or several with commas between.

extension Flag {
  /// An option with one value. Given more than once, the last wins.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, environment: environment, defaultText: defaultText,
        isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// An option with one value that is nil where nothing was given. Given more than once, the last wins.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value?>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, environment: environment, defaultText: defaultText,
        isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// An option whose every occurrence adds one value.
  package static func repeated<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, isRepeatable: true, environment: environment,
        defaultText: defaultText, isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()].append(try kind.parse(given.text))
    }
  }

  /// An option whose every occurrence adds a value, or several with commas between them and none empty.
  package static func repeatedList<Value>(
    _ name: String, _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(name: name, help: help, value: kind.schema, isRepeatable: true, isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] += try kind.parseList(given.text)
    }
  }

  /// An option with a list of values, commas between them and none empty. It counts as one value: given again, the
  /// later list replaces the earlier one.
  package static func list<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      listSchema(name, short, kind, environment, defaultText, isAdvanced, help)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parseList(given.text)
    }
  }

  /// A list that is nil where nothing was given.
  package static func list<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]?>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      listSchema(name, short, kind, environment, defaultText, isAdvanced, help)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parseList(given.text)
    }
  }

  private static func listSchema<Value>(
    _ name: String, _ short: Character?, _ kind: ValueKind<Value>, _ environment: String?, _ defaultText: String?,
    _ isAdvanced: Bool, _ help: String
  ) -> OptionSchema {
    var value = kind.schema
    if case .dynamic(let candidates) = value.completion { value.completion = .dynamicList(candidates) }
    return OptionSchema(
      name: name, short: short, help: help, value: value, environment: environment, defaultText: defaultText,
      isAdvanced: isAdvanced)
  }
}
