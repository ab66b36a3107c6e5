import CommandLine

/// A tree with every kind of option and argument, and with text that a shell, roff or Markdown would interpret.
enum SampleTree {
  static let root = CommandSchema(
    name: "ifttt", summary: "Work with IFTTT from the shell",
    discussion: [
      "Connections are switched on and off by their ids. Is anything unclear? Every command has a page.",
      ".SH is no request here, and neither is 'br; C:\\new\\table stays as it is, so does 100 % of \"$HOME\".",
    ],
    options: global, subcommands: [connections, configure, help, token, hidden],
    examples: [ExampleSchema("--profile 'a b' connections list", "the connections of a profile whose name has a space")]
  )

  static let contents = PageContents(
    version: "0.1.0", date: day,
    environment: [PageEntry("NO_COLOR", "No colour, whatever its value."), PageEntry("HTTPS_PROXY", "As in curl.")],
    files: [PageEntry("~/.local/share/ifttt/ifttt.db", "The database.")],
    exitStatuses: [PageEntry("0", "Success."), PageEntry("130", "Interrupted.")],
    seeAlso: [ManualReference("ifttt-store", section: 5), ManualReference("curl", section: 1)])

  private static var day: PageDate {
    guard let day = PageDate(year: 2026, month: 1, day: 31) else { fatalError("31 January is a day") }
    return day
  }

  private static let global = [
    OptionSchema(
      name: "profile", help: "The profile: its credentials, base URLs and cache",
      value: ValueSchema(placeholder: "NAME", completion: .dynamic("profile")), environment: "IFTTT_PROFILE",
      defaultText: "default"),
    OptionSchema(
      name: "output", short: "o", help: "How results are printed",
      value: ValueSchema(
        placeholder: "FORMAT",
        completion: .choices([
          Choice("table", "for people"), Choice("json", "one document: an array [or an object]"), Choice("csv"),
        ])), environment: "IFTTT_OUTPUT", defaultText: "table"),
    OptionSchema(
      name: "fields", help: "Only these, in this order",
      value: ValueSchema(placeholder: "A,B.C", completion: .dynamicList("field"))),
    OptionSchema(
      name: "jobs", help: "Requests under way at once", value: ValueSchema(placeholder: "N"), defaultText: "16",
      isAdvanced: true),
    OptionSchema(name: "header", help: "The heading line of tables, CSV and TSV", isNegatable: true),
    OptionSchema(name: "quiet", short: "q", help: "No notes"),
    OptionSchema(name: "verbose", short: "v", help: "The requests made, secrets redacted", isRepeatable: true),
    OptionSchema(name: "help", short: "h", help: "One screen with -h, everything with --help"),
  ]

  private static let connections = CommandSchema(
    name: "connections", summary: "Track, list and switch connections", group: "Connections",
    subcommands: [list, disable, export])

  private static let list = CommandSchema(
    name: "list", summary: "List the connections this profile tracks",
    discussion: ["What is older than --max-age is fetched again (see --offline). Nothing else is."],
    options: [
      OptionSchema(
        name: "status", short: "s", help: "Only those with this `status`; $(touch /tmp/never) is not run",
        value: ValueSchema(placeholder: "STATUS", completion: .choices([Choice("enabled"), Choice("never_enabled")])),
        isRepeatable: true),
      OptionSchema(name: "track", help: "Track what is shown", isNegatable: true, defaultText: "on"),
      OptionSchema(
        name: "limit", short: "n", help: "At most so many \\ rows: 50 % or [all]",
        value: ValueSchema(placeholder: "N"), environment: "IFTTT_LIMIT"),
      OptionSchema(
        name: "raw", help: "IFTTT's own \"JSON\", byte for byte — naïvely, 日本語 and all", isAdvanced: true),
    ],
    arguments: [
      ArgumentSchema(
        value: ValueSchema(placeholder: "ID", completion: .dynamic("connection-id")), help: "Only these connections",
        isRequired: false, isRepeatable: true)
    ],
    examples: [
      ExampleSchema("connections list --status enabled --json", "what is on, for jq"),
      ExampleSchema("connections list -- -odd-id", "an id that looks like an option"),
    ])

  private static let disable = CommandSchema(
    name: "disable", summary: "Turn connections off", group: "Changes",
    options: [
      OptionSchema(name: "all", help: "Every connection tracked"),
      OptionSchema(name: "quiet", short: "q", help: "Not even the results"),
    ],
    arguments: [
      ArgumentSchema(
        value: ValueSchema(placeholder: "ID", completion: .dynamic("connection-id")), help: "What to turn off",
        isRepeatable: true)
    ])

  private static let export = CommandSchema(
    name: "export", summary: "Write configuration to a file", group: "Changes",
    options: [
      OptionSchema(
        name: "folder", help: "Where to", value: ValueSchema(placeholder: "DIR", completion: .directory))
    ],
    arguments: [
      ArgumentSchema(
        value: ValueSchema(
          placeholder: "FORMAT", completion: .choices([Choice("json", "all of it"), Choice("yaml: old", "it's older")])),
        help: "Of the file"),
      ArgumentSchema(
        value: ValueSchema(placeholder: "FILE", completion: .file), help: "The file; - is stdout",
        isRequired: false),
    ])

  /// Both a command and a group of commands.
  private static let configure = CommandSchema(
    name: "configure", summary: "Set a connection's fields", group: "Connections",
    options: [
      OptionSchema(
        name: "set", help: "One field's new value", value: ValueSchema(placeholder: "FEATURE.FIELD=VALUE"),
        isRepeatable: true)
    ],
    arguments: [
      ArgumentSchema(
        value: ValueSchema(placeholder: "ID", completion: .dynamic("connection-id")), help: "Which one",
        isRequired: false)
    ],
    subcommands: [CommandSchema(name: "reset", summary: "Forget what was set | all of it")])

  private static let help = CommandSchema(
    name: "help", summary: "Explain a command",
    arguments: [
      ArgumentSchema(
        value: ValueSchema(placeholder: "COMMAND", completion: .commandPath(or: [Choice("exit-codes")])),
        help: "Its words",
        isRequired: false, isRepeatable: true)
    ])

  private static let token = CommandSchema(
    name: "token", summary: "Keep user tokens", group: "Credentials",
    subcommands: [
      CommandSchema(
        name: "remove", summary: "Forget a user token",
        arguments: [
          ArgumentSchema(
            value: ValueSchema(placeholder: "USER", completion: .dynamic("token-user")), help: "Whose token")
        ])
    ])

  private static let hidden = CommandSchema(name: "__complete", summary: "Answer a completion script")
}
