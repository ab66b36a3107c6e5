package import CommandLine
import World

extension PageContents {
  /// The contents of the program's pages other than its commands.
  package static var program: PageContents {
    PageContents(
      version: programVersion, date: Self.date,
      environment: variables,
      files: [
        PageEntry("ifttt.db", "Profiles, encrypted credentials and tracked connections, in the data folder."),
        PageEntry("cache.db", "Cached connections and Applets; you can delete it at any time."),
        PageEntry("plugins", "Installed plugins, one folder each, in the data folder."),
        PageEntry(
          "store.key, store-ID.key",
          "The key that encrypts credentials, in the state folder, unless another key source was chosen."),
      ],
      exitStatuses: ExitCode.allCases.map { PageEntry(String($0.rawValue), $0.meaning) },
      topics: [formats, plugins, tracks], gettingStarted: howToBegin)
  }

  /// The line of the program's short help that is shown until something is set up.
  package static let howToSetUp = "To set up your own service: ifttt init"

  /// The last line of the program's short help.
  package static let howToBegin = "To try it without an account: ifttt --profile sandbox connections list"

  private static var formats: PageTopic {
    PageTopic(
      "formats", title: "Output formats",
      [
        """
        --output selects the format, --json is short for --output json, and IFTTT_OUTPUT sets the default. --fields \
        A,B.C selects fields in any format; 'ifttt schema COMMAND' prints the JSON Schema of a command's output. A \
        path in --fields continues through arrays into their elements; a number selects one element, as in \
        services.0.name.
        """,
        """
        Commands that print a list have --search TEXT, --sort FIELD,-FIELD and --limit N, which apply in this order to \
        the rows of any format. A search looks at the values of all fields and ignores case. Sorting compares numbers \
        as numbers and text by its Unicode scalars, ignoring case; a dash before a field reverses its order, and null \
        is always last. An unsorted list is read only up to the limit.
        """,
        """
        --jq EXPRESSION passes the JSON through the program jq on PATH, and prints strings without quotes. With jsonl, \
        each row is an input of its own. If jq is missing or rejects the expression, the command has no effect.
        """,
        """
        Results go to stdout. Notes, prompts, progress and errors go to stderr. With json and jsonl an error is one \
        line of JSON on stderr, which 'ifttt schema error' describes. On a terminal, control characters and \
        bidirectional marks are shown as escapes; a pipe receives the text itself. A command that changes something \
        continues if its output pipe closes, and its exit code gives the result.
        """,
        """
        A command that accepts several ids prints an array, even for one id. A command with exactly one subject \
        prints an object. 'connections show' with one id is the only exception: it prints the object. A batch is \
        printed in the requested order. With jsonl, and with --users without --ordered, each row is printed when it \
        completes. At most 100 failures are listed; the rest are counted.
        """,
        """
        A command that prints rows as they happen, such as 'connections watch', prints JSON Lines by default. With \
        json, it prints one array, which is closed at the end, also by Ctrl-C or SIGTERM. Scripts that read line by \
        line use jsonl.
        """,
      ],
      entries: [
        PageEntry("table", "For people: fits the terminal's width; full width in a pipe."),
        PageEntry(
          "json", "One UTF-8 document. Times are RFC 3339 in UTC; missing values are null; every key is always present."
        ),
        PageEntry("jsonl", "One object per line, each printed as soon as it is available."),
        PageEntry(
          "csv",
          """
          RFC 4180 with line feeds, and a header row unless --no-header is given. A missing value is an empty cell, \
          and arrays and objects are compact JSON.
          """),
        PageEntry("tsv", "Values separated by tabs; tabs and line breaks in values are written as \\t and \\n."),
      ])
  }

  private static var plugins: PageTopic {
    PageTopic(
      "plugins", title: "Plugins",
      [
        """
        A plugin is a folder with a program and a manifest, plugin.json. A command plugin adds a command: 'ifttt NAME' \
        runs it. A provider plugin adds connections of another service, named NAME:ID.
        """,
        """
        'ifttt plugin install PATH' shows a plugin's permissions and prompts for confirmation. A plugin is started \
        only if its files are unchanged since then. It receives basic environment variables and those that its \
        manifest names. --no-plugins or IFTTT_NO_PLUGINS disables plugins.
        """,
        """
        'ifttt plugin new NAME' creates a plugin from a template, and 'ifttt plugin test PATH' runs the conformance \
        tests on it. The protocol is described in ifttt-plugin(5).
        """,
      ])
  }

  private static var tracks: PageTopic {
    PageTopic(
      "tracks", title: "Tracks",
      [
        """
        'ifttt location replay' and 'ifttt location map' read tracks in these formats, also compressed with gzip. The \
        format is detected from the file's name or its first bytes, unless --track-format names it.
        """,
        """
        The segments of a file are replayed in the order of their first times. A position without a time gets the \
        time of the previous position or, at the beginning of a file, of the next one. On stdin and with --gpsd, the \
        next one is not known yet, so it gets the current time.
        """,
        """
        Distances are measured along the great circle. iOS and Android measure up to 0.5% more or less, so a phone may \
        decide differently near a boundary. If the source reports no accuracy, 5 meters times the dilution of \
        precision is assumed.
        """,
      ],
      entries: [
        PageEntry(
          "GPX",
          """
          The tracks of a file are replayed; if there are none, its routes; if there are no routes either, its \
          waypoints. Times of routes and waypoints count only if they ascend.
          """),
        PageEntry("GeoJSON", "A file has at most 64 MiB, as does a JSON array."),
        PageEntry(
          "NMEA 0183",
          """
          The sentences RMC, GGA, GNS, GLL and ZDA are read. In a file, positions before the first date get that date. \
          On stdin and with --gpsd, the first position is assumed to be from today, or from yesterday if it would be \
          in the future.
          """),
        PageEntry(
          "JSON Lines, or a JSON array",
          """
          Each object has lat and lng, and optionally a time (RFC 3339, or seconds or milliseconds since 1970) and an \
          accuracy in meters. Other common names such as lon, latitude and timestamp are accepted too. A number below \
          100,000,000,000 is a time in seconds.
          """),
      ])
  }

  /// The date of the last notable change to the pages.
  private static var date: PageDate {
    guard let date = PageDate(year: 2026, month: 11, day: 21) else { preconditionFailure("there is such a day") }
    return date
  }

  /// The variables of the registry; neighbors with the same meaning share an entry.
  private static var variables: [PageEntry] {
    var entries: [(names: [String], meaning: String)] = []
    for variable in EnvironmentVariable.allCases where variable.isListed {
      if let last = entries.last, last.meaning == variable.meaning {
        entries[entries.count - 1].names.append(variable.name)
      } else {
        entries.append(([variable.name], variable.meaning))
      }
    }
    return entries.map { PageEntry($0.names.joined(separator: ", "), $0.meaning) }
  }
}
