import Arguments
import Hints

/// Names from other programs, and this program's equivalents. Used only for words that are not recognized.
enum TriedWords {
  static func advice(
    on word: TriedWord, in root: CommandGroup<Action, Shape?>
  ) -> TriedWordAdvice? {
    switch word {
    case .command(let name, let path):
      guard path.isEmpty else { return advice(on: name, under: path, in: root) }
      let known = (commands[name] ?? []).filter { root.node(at: $0.split(separator: " ").map(String.init)) != nil }
      return known.isEmpty ? nil : TriedWordAdvice(suggestions: known)
    case .option(let name): return options[name]
    case .valueOfSwitch("json", let value):
      let words = "--json takes no value; choose fields with --fields"
      // Nothing else is repeated: it may be long, or a secret.
      let isList = (1...80).contains(value.utf8.count) && value.utf8.allSatisfy { $0.isPartOfAList }
      return TriedWordAdvice(hints: [isList ? "\(words): --json --fields \(value)" : "\(words)."])
    case .valueOfSwitch: return nil
    }
  }

  private static func advice(
    on name: String, under path: [String], in root: CommandGroup<Action, Shape?>
  ) -> TriedWordAdvice? {
    if let own = nouns[path.joined(separator: " ")]?[name] { return own }
    let known = (verbs[name] ?? []).filter { root.node(at: path + [$0]) != nil }
    return known.isEmpty ? nil : TriedWordAdvice(suggestions: known)
  }

  /// In the place of a noun.
  private static let commands: [String: [String]] = [
    "login": ["token exchange", "grab login"], "signin": ["token exchange", "grab login"],
    "auth": ["token exchange", "token list", "token verify"], "logout": ["token remove", "grab logout"],
    "whoami": ["token verify"], "me": ["token verify"], "init": ["profile create"], "setup": ["profile create"],
    "config": ["profile show", "profile create", "configure"], "ls": ["connections list"],
    "ps": ["connections list"], "get": ["connections show"], "describe": ["connections show"],
    "view": ["connections show"], "info": ["connections show"], "cat": ["connections show"],
    "delete": ["connections remove"], "rm": ["connections remove"], "switch": ["profile use"],
    "status": ["connections list", "doctor"], "on": ["connections enable"], "off": ["connections disable"],
    "set": ["configure"], "edit": ["configure"], "applet": ["applets"], "connection": ["connections"],
    "emulator": ["sandbox"], "upgrade": ["version"],
  ]

  /// In the place of a verb, if the noun has one of these.
  private static let verbs: [String: [String]] = [
    "ls": ["list"], "all": ["list"], "get": ["show"], "describe": ["show"], "view": ["show"], "info": ["show"],
    "cat": ["show"], "delete": ["remove"], "rm": ["remove"], "del": ["remove"], "uninstall": ["remove"],
    "new": ["create", "add"], "make": ["create", "new"], "create": ["add", "new"], "switch": ["use"],
    "select": ["use"], "add": ["create", "install"], "track": ["add"], "untrack": ["remove"], "on": ["enable"],
    "off": ["disable"], "start": ["enable"], "stop": ["disable"], "connect": ["activate"], "check": ["verify"],
    "fetch": ["list"],
  ]

  /// In the place of a verb, for one noun.
  private static let nouns: [String: [String: TriedWordAdvice]] = [
    "applets": [
      "list": TriedWordAdvice(suggestions: ["fetch"]), "ls": TriedWordAdvice(suggestions: ["fetch"]),
      "show": TriedWordAdvice(suggestions: ["fetch"]), "get": TriedWordAdvice(suggestions: ["fetch"]),
      "describe": TriedWordAdvice(suggestions: ["fetch"]), "view": TriedWordAdvice(suggestions: ["fetch"]),
    ],
    "connections": [
      "create": TriedWordAdvice(suggestions: ["add", "activate"]),
      "new": TriedWordAdvice(suggestions: ["add", "activate"]),
      "configure": TriedWordAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "edit": TriedWordAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "set": TriedWordAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "update": TriedWordAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
    ],
    "location": [
      "enable": TriedWordAdvice(suggestions: ["on"]), "disable": TriedWordAdvice(suggestions: ["off"]),
      "list": TriedWordAdvice(suggestions: ["regions"]), "ls": TriedWordAdvice(suggestions: ["regions"]),
    ],
    "profile": [
      "edit": TriedWordAdvice(hints: [
        "Change settings with \(ifttt: "profile create NAME --update"), which keeps the others."
      ]),
      "set": TriedWordAdvice(hints: [
        "Change settings with \(ifttt: "profile create NAME --update"), which keeps the others."
      ]),
      "update": TriedWordAdvice(hints: [
        "Change settings with \(ifttt: "profile create NAME --update"), which keeps the others."
      ]),
    ],
    "sandbox": [
      "stop": TriedWordAdvice(hints: ["Stop the server with Ctrl-C in its terminal, or end its process."]),
      "status": TriedWordAdvice(
        suggestions: ["env", "requests"], hints: ["\(ifttt: "sandbox env") prints the address of the running server."]),
      "list": TriedWordAdvice(suggestions: ["requests", "env"]),
    ],
    "store": [
      "export": TriedWordAdvice(suggestions: ["backup"]), "import": TriedWordAdvice(suggestions: ["restore"]),
      "status": TriedWordAdvice(suggestions: ["info", "check"]),
    ],
    "token": [
      "create": TriedWordAdvice(suggestions: ["exchange", "set"]), "get": TriedWordAdvice(suggestions: ["exchange"]),
      "new": TriedWordAdvice(suggestions: ["exchange"]), "login": TriedWordAdvice(suggestions: ["exchange"]),
      "whoami": TriedWordAdvice(suggestions: ["verify"]),
    ],
  ]

  private static let options: [String: TriedWordAdvice] = [
    "format": TriedWordAdvice(
      suggestions: ["--output"], hints: ["Formats: table, json, jsonl, csv, tsv; --json is short for --output json."]),
    "limit": TriedWordAdvice(hints: ["Lists are printed in full; to see fewer rows, pipe them: -o jsonl | head -n 10"]),
    "columns": TriedWordAdvice(suggestions: ["--fields"]),
    "jq": TriedWordAdvice(suggestions: ["--fields"], hints: ["Or pipe the output of --json into jq."]),
    "debug": TriedWordAdvice(suggestions: ["--verbose"]), "trace": TriedWordAdvice(suggestions: ["--verbose"]),
    "silent": TriedWordAdvice(suggestions: ["--quiet"]),
    "no-cache": TriedWordAdvice(hints: ["--max-age 0 fetches everything again."]),
    "no-headers": TriedWordAdvice(suggestions: ["--no-header"]),
    "no-color": TriedWordAdvice(hints: ["Use '--color never', or set NO_COLOR."]),
    "config": TriedWordAdvice(suggestions: ["--profile"], hints: ["IFTTT_HOME sets the folder of all files."]),
    "account": TriedWordAdvice(suggestions: ["--profile"]), "context": TriedWordAdvice(suggestions: ["--profile"]),
    "force": TriedWordAdvice(suggestions: ["--yes"]),
  ]
}

extension UInt8 {
  /// Of `id,services.name`.
  fileprivate var isPartOfAList: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }
}
