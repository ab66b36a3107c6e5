package import Pages

extension PageFacts {
  /// The facts about the program that its pages state in addition to its commands.
  package static var program: PageFacts {
    PageFacts(
      version: CommandContext.version, date: Self.date,
      environment: credentials + places + network,
      files: [
        PageEntry("ifttt.db", "Profiles, encrypted credentials and tracked connections, in the data folder."),
        PageEntry("cache.db", "Cached data; it can be deleted at any time."),
        PageEntry("plugins", "Installed plugins, one folder per plugin, in the data folder."),
        PageEntry(
          "store.key", "The key that encrypts credentials, in the state folder, unless another key source is used."),
      ],
      exitStatuses: ExitCode.allCases.map { PageEntry(String($0.rawValue), $0.meaning) },
      topics: [formats, plugins], beginning: howToBegin)
  }

  /// The last line of the program's short help.
  package static let howToBegin = "To try it without an account: ifttt --profile sandbox connections list"

  private static var formats: PageTopic {
    PageTopic(
      "formats", title: "Output formats",
      [
        """
        --output selects the format, --json is short for --output json, and IFTTT_OUTPUT sets the default. --fields A,B.C \
        selects fields in any format; 'ifttt schema COMMAND' prints the JSON Schema of a command's output.
        """,
        """
        Results go to stdout. Notes, prompts, progress and errors go to stderr. With json and jsonl an error is one line of \
        JSON on stderr, which 'ifttt schema error' describes.
        """,
        """
        A command that accepts several ids prints an array, even for one id. A command with exactly one subject prints an \
        object. 'connections show' with one id is the only exception: it prints the object.
        """,
      ],
      entries: [
        PageEntry("table", "For people: fits the terminal's width; full width in a pipe."),
        PageEntry(
          "json", "One UTF-8 document. Times are RFC 3339 in UTC; missing values are null; every key is always present."
        ),
        PageEntry("jsonl", "One object per line, each printed as soon as it is available."),
        PageEntry("csv", "RFC 4180, with a header row unless --no-header is given."),
        PageEntry("tsv", "Values separated by tabs; tabs and line breaks in values are written as \\t and \\n."),
      ])
  }

  private static var plugins: PageTopic {
    PageTopic(
      "plugins", title: "Plugins",
      [
        """
        A plugin is a folder with a program and a manifest, plugin.json. A command plugin adds a command: 'ifttt NAME' runs \
        it. A provider plugin adds connections of another service, named NAME:ID.
        """,
        """
        'ifttt plugin install PATH' shows a plugin's permissions and asks for confirmation. A plugin is started only if its \
        files are unchanged since then. It receives basic environment variables and those that its manifest names. \
        --no-plugins or IFTTT_NO_PLUGINS disables plugins.
        """,
        """
        'ifttt plugin new NAME' creates a plugin from a template, and 'ifttt plugin test PATH' runs the conformance tests on \
        it. The protocol is described in ifttt-plugin(5).
        """,
      ])
  }

  /// The date of the last notable change to the pages.
  private static var date: PageDate {
    guard let date = PageDate(year: 2026, month: 11, day: 21) else { preconditionFailure("there is such a day") }
    return date
  }

  private static var credentials: [PageEntry] {
    [
      PageEntry("IFTTT_SERVICE_KEY", "The service key, unless an option names a file."),
      PageEntry("IFTTT_USER_TOKEN", "The user token, unless an option names a file."),
      PageEntry(
        "IFTTT_ACCESS_TOKEN", "The OAuth access token that your service issued to IFTTT, for 'token exchange'."),
      PageEntry("IFTTT_STORE_KEY_FILE", "A file with the key that encrypts credentials."),
    ]
  }

  private static var places: [PageEntry] {
    [
      PageEntry("IFTTT_HOME", "One folder for all files of the program."),
      PageEntry(
        "XDG_DATA_HOME, XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME",
        "The parents of the program's folders if IFTTT_HOME is not set."),
      PageEntry(
        "IFTTT_PLUGINS_LOCK",
        "The file that lists the allowed plugins, instead of ifttt-plugins.lock in the working directory."),
      PageEntry("IFTTT_PLUGIN_VERIFY", "If set to always, every file of a plugin is checked before the plugin runs."),
      PageEntry("LC_ALL, LC_MESSAGES, LANG", "The language of the connect flow, unless --locale is given."),
      PageEntry(
        "GITHUB_ACTIONS, GITHUB_STEP_SUMMARY",
        "In GitHub Actions, failures are annotated, secrets are masked, and a batch adds a table to the job summary."
      ),
      PageEntry("CI", "If set, disables prompts, usage events, and color unless it is requested."),
      PageEntry("DO_NOT_TRACK", "If set to anything but 0 or false, disables usage events; see 'ifttt privacy'."),
      PageEntry("MANPAGER, PAGER", "The pager of 'ifttt man'; default: less."),
      PageEntry(
        "NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM",
        "Control color; NO_COLOR overrides the others, and --color overrides all."),
    ]
  }

  private static var network: [PageEntry] {
    Base.allCases.map { PageEntry($0.variable, "A base URL without the version part, instead of \($0.standard).") } + [
      PageEntry("HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "Proxies, as in curl."),
      PageEntry("SSL_CERT_FILE, SSL_CERT_DIR, CURL_CA_BUNDLE", "Certificates to trust, as in curl."),
    ]
  }
}
