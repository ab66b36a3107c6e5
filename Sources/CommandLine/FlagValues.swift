// Options with values: a single value, one value per occurrence, or a comma-separated list.

extension Flag {
  /// An option with one value. If it is given more than once, the last value wins.
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

  /// An option with one value that is nil by default. If it is given more than once, the last value wins.
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

  /// An option to which each occurrence adds one value.
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

  /// An option to which each occurrence adds a comma-separated list of one or more non-empty values.
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

  /// An option with a comma-separated list of non-empty values. The list counts as one value: a later list replaces
  /// an earlier one.
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

  /// An option with a list that is nil by default.
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
