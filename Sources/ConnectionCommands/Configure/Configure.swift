import Changes
import CommandLine
package import IFTTT
import Output
import Plugins
package import Session
import Store
import Text

enum Configure: Command {
  typealias Options = ConfigureOptions

  static let name = "configure"
  static let aliases = [["connections", "configure"]]
  static let summary = "Show and set a connection's fields"
  static let group: String? = "Connections"
  static var discussion: [String] {
    [
      """
      Shows the fields of each feature with their values, and sets them with --set, from a file or, on a terminal, \
      with prompts. IFTTT has no partial update, so the whole configuration is always sent; all other values are sent \
      as IFTTT returned them. Values are checked first, the difference is shown, and a removal needs confirmation. \
      'connections undo' restores the previous configuration. With --dry-run, the connection is fetched, and nothing \
      is changed.
      """,
      """
      A field is FEATURE.FIELD, or FEATURE.STEP.FIELD for a field of a step; FEATURE and STEP are optional if the rest \
      is unique. FEATURE is a feature's id, ID#2 for its second user feature, or a user feature's own id. An option is \
      a value, a label or 'GROUP > LABEL'; separate several with commas, or repeat --set. A location is \
      lat,lng[,radius][,address]. Any value can also be JSON. At a prompt, '-' removes the value.
      """,
      """
      --file reads the output of 'connections show --json', or only its configuration. The file replaces the whole \
      configuration: settings that are not in the file are removed. Ids of user features in it are matched by order, \
      so that another user's file can be used.
      """,
      """
      --skip activates the connection without IFTTT's own configuration screen, and then continues with the settings. \
      It accepts all options of 'connections activate'. With --no-wait, it stops after the activation and prints the \
      result of 'connections activate'. Without a connection, --skip and --no-skip set the profile's default for later \
      activations.
      """,
      "With --json, it prints an array with one object per field, not the connection.",
      "NAME:ID is a connection of provider NAME; --set sets its fields by the provider's own names.",
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated(
        "set",
        .parsed("FIELD=VALUE", completion: .dynamic("setting"), expected: "FIELD=VALUE") {
          FieldAssignment(parsing: $0)
        },
        into: \.settings,
        help: "Set a field, named as FEATURE.FIELD or FEATURE.STEP.FIELD; an empty value removes it"),
      .value("file", .file, into: \.file, help: "Read the configuration from this JSON file, '-' for stdin"),
      .repeated(
        "add-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.added, isAdvanced: true,
        help: "Add one more user feature, with its fields' default values"),
      .repeated(
        "enable-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.enabled,
        help: "Enable a feature; it is added if it was never used"),
      .repeated(
        "disable-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.disabled, isAdvanced: true,
        help: "Disable a feature without removing its values"),
      .repeated(
        "remove-feature", .nonEmpty("FEATURE", completion: .dynamic("feature")), into: \.removed, isAdvanced: true,
        help: "Remove a user feature and its values"),
      .toggle(
        "skip", negatable: true, into: \.skipsConfiguration,
        help: "Activate without IFTTT's configuration screen; without ID, make this the default"),
      .toggle(
        "wait", negatable: true, into: \.waits, defaultText: "on", isAdvanced: true,
        help: "With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result"),
      .resume(into: \.resumes, isAdvanced: true),
    ] + .lifted(ActivationOptions.flags(isAdvanced: true).grouped(under: "With --skip"), into: \.activation)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.connectionID, into: \.id, help: "The connection")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("configure Kd7Rn2Qx --no-input", "show every field with its value"),
      ExampleSchema(
        "configure Kd7Rn2Qx --set scene=Evening --no-input",
        "set a field to an option, by the option's label"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(ConfigurationRow.self).report
    shape.alternative = { .one(ActivationRow.self) }
    shape.dryRun = { .plannedChanges(ofUsers: false) }
    return shape
  }

  static func check(_ options: Options) throws(Conflict) {
    if options.id == nil {
      guard options.skipsConfiguration != nil else {
        throw Conflict(
          "pass the connection to configure ('ifttt init' sets up a profile)", isMissingArgument: true)
      }
      if options.hasChanges {
        throw Conflict(
          "settings need a connection",
          options: ["set", "file", "add-feature", "enable-feature", "disable-feature", "remove-feature"])
      }
    } else if options.skipsConfiguration == false {
      throw Conflict("--no-skip sets the profile's default: omit the connection", options: ["no-skip", "skip"])
    }
    if !options.waits, options.skipsConfiguration != true {
      throw Conflict("--no-wait needs --skip", options: ["no-wait", "wait"])
    }
    if options.id == nil || options.skipsConfiguration != true, options.activation.isAnySet {
      throw Conflict("activation options need --skip and a connection", options: ActivationOptions.names)
    }
    try options.activation.check()
    if options.file == "-", options.activation.finishURL == "-" || options.activation.oauthCodeFile == "-" {
      throw Conflict("stdin can be read only once", options: ["file", "finish", "oauth-code-file"])
    }
    if options.resumes, options.id == nil || options.hasChanges || options.skipsConfiguration != nil {
      throw Conflict("--resume needs the connection and nothing else", options: ["resume"])
    }
    if !options.waits, options.hasChanges {
      throw Conflict("--no-wait cannot be combined with settings", options: ["no-wait", "wait"])
    }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    guard var id = options.id else { return }
    try session.resolve(&id, as: options.credentials)
    options.id = id
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard let id = options.id else { return try session.setSkipDefault(options.skipsConfiguration == true) }
    let qualified = QualifiedConnectionID(id.description, provider: nil)
    return try session.provider(of: qualified).configure(qualified, options)
  }
}

/// The arguments and options of `configure`.
package struct ConfigureOptions: CommandOptions {
  package var id: ConnectionID?
  package var settings: [FieldAssignment] = []
  package var file: String?
  package var added: [String] = []
  package var enabled: [String] = []
  package var disabled: [String] = []
  package var removed: [String] = []
  package var skipsConfiguration: Bool?
  package var waits = true
  /// Used with `--skip`.
  package var activation = ActivationOptions()
  package var credentials = CredentialOptions()
  package var resumes = false

  package init() {}

  /// Whether the command line specifies changes.
  package var hasChanges: Bool {
    file != nil || [added, enabled, disabled, removed].contains { !$0.isEmpty } || !settings.isEmpty
  }
}

extension Session {
  /// Sets the profile's default for later activations: `configure --skip` and `--no-skip` without a connection.
  package func setSkipDefault(_ skips: Bool) throws -> Output {
    let name = try profile.name
    let verb = skips ? "skip" : "show"
    if options.isDryRun {
      let change =
        try skipsConfiguration == skips
        ? nil : "Later activations of profile '\(name)' would \(verb) IFTTT's configuration screen."
      return dryRun(change: change)
    }
    try store.save(Profile(name: name, settings: [.skipConfiguration: skips ? "true" : ""]))
    console.note("Later activations of profile '\(name)' \(verb) IFTTT's configuration screen.")
    return .rows([ConfigurationRow]())
  }
}
