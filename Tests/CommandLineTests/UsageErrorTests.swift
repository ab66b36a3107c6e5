import CommandLine
import Testing
import Text

/// The text of usage errors, the line they show, and its carets.
@Suite struct UsageErrorTests {
  @Test func reportsAnUnknownOption() throws {
    #expect(
      try Sample.error("connections list --stauts enabled").lines == [
        "ifttt: unknown option '--stauts'",
        "  ifttt connections list --stauts enabled",
        "                         ^^^^^^^^",
        "Did you mean 'ifttt connections list --status enabled'?",
        "Run 'ifttt connections list --help' for usage.",
      ])
    #expect(try Sample.error("connections list --stauts=enabled").carets == "                       ^^^^^^^^")
    #expect(try Sample.error("connections list -qxv").message == "unknown option '-x'")
    #expect(try Sample.error("connections list -qxv").carets == "                         ^")
  }

  @Test func reportsAnUnknownCommand() throws {
    #expect(
      try Sample.error("-q conections list").lines == [
        "ifttt: unknown command 'conections'",
        "  ifttt -q conections list",
        "           ^^^^^^^^^^",
        "Did you mean 'ifttt -q connections list'?",
        "Run 'ifttt --help' for usage.",
      ])
    #expect(
      try Sample.error("connections lst").lines == [
        "ifttt: unknown command 'lst' of 'ifttt connections'",
        "  ifttt connections lst",
        "                    ^^^",
        "Did you mean 'ifttt connections list'?",
        "Run 'ifttt connections --help' for usage.",
      ])
  }

  @Test func reportsAnInvalidValue() throws {
    #expect(
      try Sample.error("connections list --status=enabld -q").lines == [
        "ifttt: invalid value 'enabld' for '--status'",
        "  ifttt connections list --status=enabld -q",
        "                                  ^^^^^^",
        "Did you mean 'enabled'?",
        "Accepted values: enabled, disabled, never_enabled.",
        "Run 'ifttt connections list --help' for usage.",
      ])
    #expect(try Sample.error("connections list -sx").carets == "                         ^")
    #expect(try Sample.error("connections list -s x").carets == "                          ^")
    #expect(try Sample.error("connections list --status=").carets == "                                ^")
    #expect(try Sample.error("connections list --status ''").carets == String(repeating: " ", count: 32) + "^^")
  }

  @Test(
    "every form of quoting",
    arguments: [
      (["a b"], "'a b'", 5), (["it's"], #"'it'\''s'"#, 9), ([""], "''", 2), (["$x"], "'$x'", 4), (["~"], "'~'", 3),
      (["a\nb"], #"$'a\nb'"#, 7), (["\r\n\t"], #"$'\r\n\t'"#, 9), (["it's\u{7}"], #"$'it\'s\x07'"#, 12),
      (["\\\u{1B}"], #"$'\\\x1b'"#, 9), (["a\u{202E}b"], #"$'a\u202eb'"#, 11), (["\u{A0}"], #"$'\u00a0'"#, 9),
      (["\u{E0001}x"], #"$'\U000e0001x'"#, 14), (["\u{301}"], #"$'\u0301'"#, 9), (["é"], "é", 1),
      (["e\u{301}"], "e\u{301}", 1),
      (["日本"], "日本", 4), (["👍🏽"], "👍🏽", 2), (["❤️"], "❤️", 2), (["🇩🇪"], "🇩🇪", 2), (["한"], "한", 2), (["ｆ"], "ｆ", 2),
      (["a/b.c:d=e@f%g+h,i_j-k"], "a/b.c:d=e@f%g+h,i_j-k", 21), (["\u{85}"], #"$'\u0085'"#, 9),
    ])
  func quotesAndMeasuresTheArgument(_ word: [String], _ drawn: String, _ width: Int) throws {
    let error = try Sample.error(["connections", word[0], "x"].map { RawArgument($0) })
    #expect(error.line == "ifttt connections \(drawn) x")
    #expect(error.caret == 18..<18 + width)
    // The position of the next error shows the measured width of the argument.
    #expect(
      try Sample.error(["connections", "list", "--set", word[0], "--bogus"].map { RawArgument($0) }).caret
        == 30 + width..<37 + width)
  }

  @Test func tooManyCombiningMarksAreEscaped() throws {
    let error = try Sample.error([RawArgument("a" + String(repeating: "\u{301}", count: 9))])
    #expect(error.line == "ifttt $'\\x61" + String(repeating: #"\u0301"#, count: 7) + "…'")
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], #"$'a\xffb'"#), ([0xC3], #"$'\xc3'"#), ([0xE2, 0x82, 0x41], #"$'\xe2\x82A'"#),
      ([0xC3, 0xA9, 0x80], #"$'é\x80'"#), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"), ([0x00], #"$'\x00'"#),
    ] as [([UInt8], String)])
  func invalidBytesAreEscaped(_ bytes: [UInt8], _ drawn: String) throws {
    #expect(try Sample.error([RawArgument(bytes: bytes)]).line == "ifttt \(drawn)")
  }

  @Test func longArgumentsAreShortenedAroundTheError() throws {
    let long = String(repeating: "abcdefghij", count: 100_000)
    let word = try Sample.error([RawArgument("connections"), RawArgument(long)])
    #expect(word.message == "unknown command '\(long.prefix(40))…' of 'ifttt connections'")
    #expect(word.line == "ifttt connections \(long.prefix(48))…")
    #expect(word.caret == 18..<67)
    let part = try Sample.error(
      "connections list --ids=\(String(repeating: "1,", count: 5000))x,\(String(repeating: "1,", count: 5000))1")
    #expect(part.line == "ifttt connections list …" + "1,1,1,1,1,1,1,1,x,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1," + "…")
    #expect(part.caret == 40..<41)
    #expect(part.message.hasPrefix("invalid value 'x' for"))
    let beside = try Sample.error([
      RawArgument("connections"), RawArgument("list"), RawArgument("--set"), RawArgument(long), RawArgument("--bogus"),
    ])
    #expect(beside.line == "ifttt connections list --set \(long.prefix(24))… --bogus")
    let wide = try Sample.error([RawArgument(String(repeating: "日", count: 100_000))])
    #expect(wide.line == "ifttt \(String(repeating: "日", count: 24))…")
    let name = try Sample.error([RawArgument("connections"), RawArgument("list"), RawArgument("--" + long)])
    #expect(name.message == "unknown option '--\(long.prefix(38))…'")
    #expect(name.suggestions.isEmpty)
  }

  @Test func longLinesAreShortenedAroundTheError() throws {
    let ids = (100...999).map { "id\($0)" }
    let words = ["connections", "show"] + ids.prefix(400) + ["--bogus"] + ids.suffix(400)
    let error = try Sample.error(words.map { RawArgument($0) })
    #expect(
      error.line
        == "ifttt … id491 id492 id493 id494 id495 id496 id497 id498 id499 --bogus id600 id601 id602 id603 id604 …")
    #expect(error.carets == String(repeating: " ", count: 62) + "^^^^^^^")
  }

  @Test func errorsHaveHints() throws {
    #expect(
      try Sample.error("connections show --status x").hints.map(\.text) == [
        "It is an option of 'ifttt connections list'."
      ])
    #expect(try Sample.error("connections list --reveal").hints.isEmpty)
    #expect(
      try Sample.error("connections --status x").hints.map(\.text)
        == ["It is an option of 'ifttt connections list'; place it after the command."])
    #expect(try Sample.error("help --reveal").hints.map(\.text) == ["It is an option of 'ifttt token exchange'."])
  }

  @Test(arguments: [
    ("tokne", ["token"]), ("con", ["connections"]), ("CONNECTIONS", ["connections"]), ("exchange", ["token exchange"]),
    ("list", ["connections list"]), ("zzz", []), ("x", []), ("''", []), ("hlep", ["help"]),
    ("connections-x", ["connections"]),
  ])
  func suggestsTheNearestCommands(_ word: String, _ names: [String]) throws {
    #expect(try Sample.error(word).suggestions == names.map { "ifttt \($0)" })
  }

  @Test(arguments: [
    ("--sttus", ["--status VALUE"]), ("--lmit", ["--limit N"]), ("--max_age 3", ["--max-age"]),
    ("--no-heade", ["--no-header"]),
    ("--profil x", ["--profile"]), ("--outputs csv", ["--output"]), ("--hepl", ["--help"]), ("--se x", ["--set"]),
    ("--ver", ["--verbose", "--version"]), ("--no", ["--no-plugins", "--no-header", "--no-wait"]), ("--statistics", []),
    ("-json", ["--json"]), ("-fields a", ["--fields"]), ("-fields=a", ["--fields"]), ("-Q", ["-q"]), ("-N", ["-n N"]),
    ("-é", []), ("---", []), ("--=x", []), ("--qiuet", ["--quiet"]), ("--verbos", ["--verbose"]),
  ])
  func suggestsTheNearestOptions(_ typed: String, _ names: [String]) throws {
    let value = typed.drop { $0 != " " && $0 != "=" }
    #expect(
      try Sample.error("connections list \(typed)").suggestions == names.map { "ifttt connections list \($0)\(value)" })
  }

  @Test func suggestsALongNameAfterOneDash() throws {
    #expect(try Sample.error("connections list -output json").suggestions == ["--output"])
    #expect(try Sample.error("connections list -output=json").suggestions == ["--output"])
    #expect(try Sample.error("connections list -status enabled").suggestions == ["--status"])
  }

  @Test func suggestionsFormAQuestion() throws {
    #expect(
      try Sample.error("connections list --ver").question
        == "Did you mean 'ifttt connections list --verbose' or 'ifttt connections list --version'?")
    #expect(
      try Sample.error("connections list --no").question
        == "Did you mean 'ifttt connections list --no-plugins', 'ifttt connections list --no-header' or "
        + "'ifttt connections list --no-wait'?")
    #expect(try Sample.error("connections list --zzz").question == nil)
  }

  @Test func findsTheNearestNames() {
    #expect(NearestNames.of("nmae", among: ["id", "name", "names", "name"]) == ["name"])
    #expect(NearestNames.of("a.b", among: ["a.b.c", "a.b.d", "a.b.e", "a.b.f"]) == ["a.b.c", "a.b.d", "a.b.e"])
    #expect(NearestNames.of("", among: ["a"]).isEmpty)
    #expect(NearestNames.of("staus", among: ["state", "status"]) == ["status"])
    #expect(
      NearestNames.of("descriptoin", among: ["descriptions", "description"]) == ["description", "descriptions"])
  }

  @Test(arguments: [
    ("nmae", ["name"]), ("service.name", ["services.name"]), ("Status", ["status"]),
    ("labl", ["features.fields.label"]),
    ("services.staus", ["services"]), ("0", []), ("cover_imges", ["cover_images.*"]), ("xyzzyxyzzy", []), ("", []),
    (".", []), (String(repeating: "name", count: 100_000), []),
  ])
  func findsTheNearestPaths(_ typed: String, _ nearest: [String]) {
    let paths = ["id", "name", "status", "services", "services.name", "cover_images.*", "features.fields.label"]
    #expect(NearestNames.of(typed, amongPaths: paths) == nearest)
  }

  /// A token typed as an argument by mistake.
  @Test(arguments: [
    "ift_k3yOfSomeone", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "kept-token-0123456789-abcdef",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "0123456789abcdef0123456789abcdef",
  ])
  func aSecretTypedAsAnArgumentIsMasked(_ secret: String) throws {
    for line in ["token exchange \(secret)", "connections \(secret)", "--bogus token exchange \(secret)", secret] {
      let error = try Sample.error(line)
      let shown = error.lines.joined(separator: "\n")
      #expect(!shown.contains(secret.prefix(12)), "\(shown)")
      #expect(shown.contains("…"), "\(shown)")
    }
    let error = try Sample.error("token exchange \(secret)")
    #expect(error.hints.contains { $0.text.hasPrefix("Do not pass a secret as an argument") }, "\(error.hints)")
  }

  @Test(arguments: [
    "enabled", "Kd7Rn2Qx", "/home/kai/2026/backup-of-today-1.db", "https://ifttt.com/connections/Kd7Rn2Qx-4711",
    "connections-of-the-lamps", "12345678901234567890123", "backup-2026-01-31T120000Z.db",
  ])
  func textThatIsNotASecretIsShown(_ word: String) throws {
    let error = try Sample.error("token exchange \(word)")
    #expect(error.message == "unexpected argument '\(word.prefix(40))\(word.utf8.count > 40 ? "…" : "")'")
    #expect(!error.hints.contains { $0.text.contains("secret") })
  }

  @Test func wordsKeepTheirBytes() {
    #expect(RawArgument("é").text == "é")
    #expect(RawArgument(bytes: [0x61, 0xFF]).text == "a\u{FFFD}")
  }
}
