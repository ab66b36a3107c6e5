package import CommandLine
package import IFTTT
package import Output
package import World

/// The parsed values of the options that may precede or follow any command. ``Session`` derives everything else from
/// them.
package struct GlobalOptions: Sendable {
  package var profile: ProfileName?
  /// The format of the last option or variable that selects one. `--jq` may replace it.
  package private(set) var chosenFormat: Format = .table
  /// The format of the last `--output` on the command line.
  private var typedFormat: Format?
  /// The expression for the `jq` program, through which the JSON output is passed.
  package var jq: String?
  package var fields: [FieldPath]?
  package var hidesHeader = false
  package var color: ColorChoice = .auto
  package var isOffline = false
  var timeStyle: TimeStyle?
  package var maxAge: Duration = .seconds(60)
  package var timeout: Duration = .seconds(30)
  package var retries = 3
  package var jobs = 16
  package var locale: LocaleTag?
  package var isDryRun = false
  package var usesExitCode = false
  package var assumesYes = false
  package var disablesPrompts = false
  var disablesPlugins = false
  var disablesLinkedPlugins = false
  package var tracesPlugins = false
  package var isQuiet = false
  package var isVerbose = false
  package var recordFolder: String?
  package var replayFolder: String?

  /// The format of the output. `--jq` needs JSON, so it overrides the default and the variable.
  package var format: Format {
    get { jq != nil && chosenFormat.content != .json ? .json : chosenFormat }
    set { chosenFormat = newValue }
  }

  /// Whether stdout has text for people instead of the requested rows and fields.
  package var printsText: Bool { format == .table && fields == nil }

  /// The option that disables plugins.
  package static let noPluginsOption = "--no-plugins"
  /// The option that disables linked plugins.
  package static let noLinkedPluginsOption = "--no-linked-plugins"

  package static let flags: [Flag<GlobalOptions>] = [
    .value(
      "profile", short: "p", .profileName, into: \.profile, environment: EnvironmentVariable.profile.name,
      defaultText: "the profile set with 'profile use', otherwise 'default'",
      help: "Profile to use; 'sandbox' needs no network"),
    outputFlag,
    .constant("json", .json, into: \.format, help: "Same as --output json"),
    .list(
      "fields", .fieldPath.named("A,B.C"), into: \.fields,
      help: "Print only these fields, in this order; dotted paths select values inside objects"),
    .value(
      "jq", .nonEmpty("EXPRESSION"), into: \.jq,
      help: "Pass the JSON output through jq with this expression, and print strings without quotes"),
    .toggle(
      "no-header", into: \.hidesHeader, isAdvanced: true, help: "Omit the header row in table, csv and tsv output"),
    .value(
      "color", .oneOf(ColorChoice.self, placeholder: "WHEN"), into: \.color, defaultText: "auto", isAdvanced: true,
      help: "When to color the output; NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb are honored"),
    .value(
      "time-style", .oneOf(TimeStyle.self, placeholder: "STYLE"), into: \.timeStyle,
      defaultText: "relative in a table on a terminal", isAdvanced: true,
      help: "How tables show when something happened: 'relative' is '5 min ago'"),
    .toggle("offline", into: \.isOffline, help: "Never use the network"),
    .value(
      "max-age", .duration, into: \.maxAge, defaultText: "60s", isAdvanced: true,
      help: "Maximum age of a cached row before it is fetched again; 0 always fetches"),
    .value(
      "timeout", .duration, into: \.timeout, defaultText: "30s", isAdvanced: true,
      help: "Timeout of one request, retries included"),
    .value(
      "retries", .integer(in: 0...100), into: \.retries, defaultText: "3", isAdvanced: true,
      help: "Maximum number of retries for idempotent requests"),
    .value(
      "jobs", .integer(in: 1...256), into: \.jobs, defaultText: "16", isAdvanced: true,
      help: "Maximum number of concurrent requests"),
    .value(
      "locale", .localeTag, into: \.locale, defaultText: "from LC_ALL, LC_MESSAGES, LANG", isAdvanced: true,
      help: "Language of the connect flow; errors and results stay in English"),
    .toggle(
      "dry-run", short: "n", into: \.isDryRun,
      help:
        "Print the requests that would change something, and change nothing; fetches data unless --offline is given"),
    .toggle(
      "exit-code", into: \.usesExitCode, isAdvanced: true,
      help: "Exit 8 if a dry run or 'connections diff' finds a difference"),
    .toggle("yes", short: "y", into: \.assumesYes, isAdvanced: true, help: "Do not prompt for confirmation"),
    .toggle("no-input", into: \.disablesPrompts, isAdvanced: true, help: "Never prompt"),
    .toggle(
      "no-plugins", into: \.disablesPlugins, environment: EnvironmentVariable.noPlugins.name, isAdvanced: true,
      help: "Disable plugins"),
    .toggle(
      "no-linked-plugins", into: \.disablesLinkedPlugins, isAdvanced: true,
      help: "Disable plugins that were linked with 'plugin link'"),
    .toggle(
      "trace-plugins", into: \.tracesPlugins, isAdvanced: true,
      help: "Print each message to and from plugins as JSON on stderr, with secrets masked"),
    .toggle("quiet", short: "q", into: \.isQuiet, help: "Suppress notes"),
    .toggle(
      "verbose", short: "v", into: \.isVerbose,
      help: "Print each request, with secrets masked, and the source of each option's value"),
    .value(
      "record", .directory.named("DIR"), into: \.recordFolder, isAdvanced: true,
      help: "Record requests and responses in this new folder, with secrets replaced"),
    .value(
      "replay", .directory.named("DIR"), into: \.replayFolder, isAdvanced: true,
      help: "Replay the responses that --record saved in this folder: no network, no credentials, no store"),
  ]
}

extension GlobalOptions {
  private static var outputFlag: Flag<GlobalOptions> {
    let flag = Flag<GlobalOptions>.value(
      "output", short: "o", .oneOf(Format.self, placeholder: "FORMAT", help: \.summary), into: \.format,
      environment: EnvironmentVariable.output.name, defaultText: "table", help: "Output format")
    return Flag(flag.schema) { (options: inout GlobalOptions, given: ParsedValue) throws(ValueError) in
      try flag.apply(&options, given)
      if case .commandLine = given.source { options.typedFormat = options.chosenFormat }
    }
  }

  /// Rejects `--jq` with a format that is not JSON. A later `--json` replaces such a format.
  func checkJQ() throws(GlobalOptionError) {
    guard jq != nil, typedFormat == chosenFormat, chosenFormat.content != .json else { return }
    throw GlobalOptionError(
      "output",
      ValueError("--jq needs JSON", accepted: Format.allCases.filter { $0.content == .json }.map(\.rawValue)))
  }
}

extension ValueKind<FieldPath> {
  static var fieldPath: ValueKind {
    .parsed("FIELD", completion: .dynamic("field"), expected: "a field such as 'id' or 'services.name'") {
      try? FieldPath(parsing: $0)
    }
  }
}

/// How tables show past times.
enum TimeStyle: String, CaseIterable, Sendable { case relative, absolute }

extension GlobalOptions {
  /// How long ago a timestamp was, for tables; nil to show timestamps as they are.
  package func age(at now: @autoclosure () -> Timestamp, isTerminal: Bool) -> (@Sendable (String) -> String?)? {
    guard timeStyle == .relative || timeStyle == nil && isTerminal else { return nil }
    let now = now()
    return { Timestamp(parsing: $0)?.age(at: now) }
  }
}
