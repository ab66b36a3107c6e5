import Arguments
import CommandContext
import Connect
import Display
import Hints
import PluginHost

enum Configure: Command {
  struct Options: Sendable {
    var id: ConnectionID?
    var settings: [FieldAssignment] = []
    var file: String?
    var added: [String] = []
    var enabled: [String] = []
    var disabled: [String] = []
    var removed: [String] = []
    var skips: Bool?
    var waits = true
    /// Used with `--skip`.
    var activation = ActivationOptions()
    var credentials = CredentialOptions()

    /// Whether the command line specifies changes.
    var saysChanges: Bool {
      file != nil || [added, enabled, disabled, removed].contains { !$0.isEmpty } || !settings.isEmpty
    }
  }

  static let name = "configure"
  static let summary = "Show and set a connection's fields"
  static let group: String? = "Connections"
  static var discussion: [String] {
    [
      """
      Shows the fields of each feature with their values, and sets them: with --set, from a file, or on a terminal, where \
      nothing is said, by questions. IFTTT knows no partial change, so the whole configuration is always sent; what was not \
      touched goes back as it came. Values are checked first, the difference is shown, and before anything is removed it \
      asks. 'connections undo' puts the previous configuration back. With --dry-run the connection is read, and nothing is \
      changed.
      """,
      """
      A field is FEATURE.FIELD, or FEATURE.STEP.FIELD for a step's; parts may be left out where one field is meant. \
      FEATURE is a feature's id, or ID#2 for its second user feature, or a user feature's own id. An option is given by its \
      value, its label or 'GROUP > LABEL', several with commas between or by repeating --set; a location as \
      lat,lng[,radius][,address]; all of them as JSON too. In an answer to a question '-' stands for none.
      """,
      """
      --file reads what 'connections show --json' prints, or its configuration alone: it is the whole configuration, and what \
      it lacks is removed.
      """,
      """
      --skip activates the connection with IFTTT's own configuration screen skipped, with all options of 'connections \
      activate'. Then the settings follow; with --no-wait the command ends there and prints what 'connections activate' \
      prints. Without a connection, --skip and --no-skip set the profile's default for later activations.
      """,
      "With --json it prints an array with one object per field, not the connection.",
      "NAME:ID is a connection of provider NAME, whose fields are set with --set under the names that it gives them.",
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated(
        "set",
        .parsed("FIELD=VALUE", completion: .dynamic("setting"), expected: "FEATURE.FIELD=VALUE") {
          FieldAssignment(parsing: $0)
        },
        into: \.settings,
        help: "Set a field, named as FEATURE.FIELD or FEATURE.STEP.FIELD; an empty value is none"),
      .value("file", .file, into: \.file, help: "Take the configuration from this JSON file, '-' for standard input"),
      .repeated(
        "add-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.added, isAdvanced: true,
        help: "Add one more user feature, with the values its fields begin with"),
      .repeated(
        "enable-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.enabled,
        help: "Turn a feature on, added where it was never used"),
      .repeated(
        "disable-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.disabled, isAdvanced: true,
        help: "Turn a feature off, its values kept"),
      .repeated(
        "remove-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.removed, isAdvanced: true,
        help: "Remove a user feature with its values"),
      .toggle(
        "skip", negatable: true, into: \.skips,
        help: "Activate with IFTTT's configuration screen skipped; without ID, do so from now on"),
      .toggle(
        "wait", negatable: true, into: \.waits, defaultText: "on", isAdvanced: true,
        help: "With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result"),
    ] + .lifted(ActivationOptions.flags(on: "With --skip, "), into: \.activation)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.connectionID, into: \.id, help: "The connection")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("configure Kd7Rn2Qx --no-input", "every field with its value"),
      ExampleSchema("configure Kd7Rn2Qx --set mw4tq9hzjc.scene=Evening --no-input", "one value, by its label"),
    ]
  }
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(ConfigurationRow.self)
    shape.alternative = { .one(ActivationRow.self) }
    return shape
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.id == nil {
      guard options.skips != nil else {
        throw Conflict("name a connection, or give --skip or --no-skip for the profile's default", isLack: true)
      }
      if options.saysChanges {
        throw Conflict(
          "without a connection there is nothing to set",
          options: ["set", "file", "add-feature", "enable-feature", "disable-feature", "remove-feature"])
      }
    } else if options.skips == false {
      throw Conflict("--no-skip is the profile's default: leave the connection out", options: ["no-skip", "skip"])
    }
    if !options.waits, options.skips != true {
      throw Conflict("--no-wait needs --skip", options: ["no-wait", "wait"])
    }
    if options.id == nil || options.skips != true, options.activation.saysAnything {
      throw Conflict("options of an activation need --skip and a connection", options: ActivationOptions.names)
    }
    try options.activation.check()
    if options.file == "-", options.activation.handedOver == "-" || options.activation.oauthCodeFile == "-" {
      throw Conflict("stdin can be read only once", options: ["file", "redirect-url", "oauth-code-file"])
    }
    if !options.waits, options.saysChanges {
      throw Conflict("with --no-wait nothing is set: leave one of them out", options: ["no-wait", "wait"])
    }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    guard var id = options.id else { return }
    try session.resolve(&id, as: options.credentials)
    options.id = id
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard let id = options.id else { return try session.setSkipDefault(options.skips == true) }
    let provided = QualifiedConnectionID(id.description, provider: nil)
    if let name = provided.provider {
      return try ProviderConnections(in: session).configure(provided.id, of: name, options)
    }
    if !session.options.isDryRun {
      let isActivation = options.skips == true && !options.waits
      try session.checkFields(of: isActivation ? .one(ActivationRow.self) : .many(ConfigurationRow.self))
    }
    // Read the file before anything is sent.
    let file = try options.file.map { try ConfigurationFile.read($0, in: session) }
    if options.skips == true, let result = try session.activateSkippingConfiguration(id, options, file) {
      return result
    }
    return try ConfigureRun(id, options, file, in: session).output()
  }
}

extension Session {
  /// Rejects fields of the command's other output before anything is done.
  fileprivate func checkFields(of shape: OutputSchema) throws {
    do throws(FieldsError) { try FieldCatalog(shape.fields).check(options.fields ?? []) } catch {
      throw Problem(
        .usage, "--fields: \(error.description)", reason: "the output has different fields with these options",
        hint: "There are: \(shape.fields.joined(separator: ", ")).")
    }
  }
}
