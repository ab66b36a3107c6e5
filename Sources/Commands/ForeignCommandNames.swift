import CommandLine
import Output
import Session
import Text

/// Names from other programs, and this program's equivalents. Used only for arguments that are not recognized.
enum ForeignCommandNames {
  static func advice(
    on word: UnknownName, in root: CommandGroup<Action, OutputSchema?>
  ) -> UnknownNameAdvice? {
    switch word {
    case .command(let name, let path):
      guard path.isEmpty else { return advice(on: name, under: path, in: root) }
      if let advice = root.external?.advice(name) { return advice }
      let known = (commands[name] ?? []).filter { root.node(at: $0.split(separator: " ").map(String.init)) != nil }
      return known.isEmpty ? nil : UnknownNameAdvice(suggestions: known)
    case .option(let name, let path): return ownOptions[path.joined(separator: " ")]?[name] ?? options[name]
    case .valueOfSwitch("json", let value):
      let message = "--json does not accept a value; select fields with --fields"
      // Repeat nothing else, because the value may be long or a secret.
      let isList = (1...80).contains(value.utf8.count) && value.utf8.allSatisfy(\.isPartOfAList)
      return UnknownNameAdvice(hints: [isList ? "\(message): --json --fields \(value)" : "\(message)."])
    case .valueOfSwitch: return nil
    }
  }

  private static func advice(
    on name: String, under path: [String], in root: CommandGroup<Action, OutputSchema?>
  ) -> UnknownNameAdvice? {
    if let own = nouns[path.joined(separator: " ")]?[name] { return own }
    let known = (verbs[name] ?? []).filter { root.node(at: path + [$0]) != nil }
    return known.isEmpty ? nil : UnknownNameAdvice(suggestions: known)
  }

  /// Names given in place of a noun.
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

  /// Names given in place of a verb, if the noun has one of these verbs.
  private static let verbs: [String: [String]] = [
    "ls": ["list"], "all": ["list"], "get": ["show"], "describe": ["show"], "view": ["show"], "info": ["show"],
    "cat": ["show"], "delete": ["remove"], "rm": ["remove"], "del": ["remove"], "uninstall": ["remove"],
    "new": ["create", "add"], "make": ["create", "new"], "create": ["add", "new"], "switch": ["use"],
    "select": ["use"], "add": ["create", "install"], "track": ["add"], "untrack": ["remove"], "on": ["enable"],
    "off": ["disable"], "start": ["enable"], "stop": ["disable"], "connect": ["activate"], "check": ["verify"],
    "fetch": ["list"],
  ]

  /// Names given in place of a verb, for one noun.
  private static let nouns: [String: [String: UnknownNameAdvice]] = [
    "applets": [
      "list": UnknownNameAdvice(suggestions: ["fetch"]), "ls": UnknownNameAdvice(suggestions: ["fetch"]),
      "show": UnknownNameAdvice(suggestions: ["fetch"]), "get": UnknownNameAdvice(suggestions: ["fetch"]),
      "describe": UnknownNameAdvice(suggestions: ["fetch"]), "view": UnknownNameAdvice(suggestions: ["fetch"]),
    ],
    "connections": [
      "create": UnknownNameAdvice(suggestions: ["add", "activate"]),
      "new": UnknownNameAdvice(suggestions: ["add", "activate"]),
      "configure": UnknownNameAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "edit": UnknownNameAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "set": UnknownNameAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
      "update": UnknownNameAdvice(hints: ["Set its fields with \(ifttt: "configure ID")."]),
    ],
    "location": [
      "enable": UnknownNameAdvice(suggestions: ["on"]), "disable": UnknownNameAdvice(suggestions: ["off"]),
      "list": UnknownNameAdvice(suggestions: ["regions"]), "ls": UnknownNameAdvice(suggestions: ["regions"]),
    ],
    "profile": [
      "edit": UnknownNameAdvice(hints: [
        "Change settings with \(ifttt: "profile set NAME --service SLUG"), which keeps the other settings."
      ]),
      "set": UnknownNameAdvice(hints: [
        "Change settings with \(ifttt: "profile set NAME --service SLUG"), which keeps the other settings."
      ]),
      "update": UnknownNameAdvice(hints: [
        "Change settings with \(ifttt: "profile set NAME --service SLUG"), which keeps the other settings."
      ]),
    ],
    "sandbox": [
      "stop": UnknownNameAdvice(hints: ["Stop the server with Ctrl-C in its terminal, or end its process."]),
      "status": UnknownNameAdvice(
        suggestions: ["env", "requests"], hints: ["\(ifttt: "sandbox env") prints the address of the running server."]),
      "list": UnknownNameAdvice(suggestions: ["requests", "env"]),
    ],
    "store": [
      "export": UnknownNameAdvice(suggestions: ["backup"]), "import": UnknownNameAdvice(suggestions: ["restore"]),
      "status": UnknownNameAdvice(suggestions: ["info", "check"]),
    ],
    "token": [
      "create": UnknownNameAdvice(suggestions: ["exchange", "set"]),
      "get": UnknownNameAdvice(suggestions: ["exchange"]),
      "new": UnknownNameAdvice(suggestions: ["exchange"]), "login": UnknownNameAdvice(suggestions: ["exchange"]),
      "whoami": UnknownNameAdvice(suggestions: ["verify"]),
    ],
  ]

  /// Options that one command has under another name.
  private static let ownOptions: [String: [String: UnknownNameAdvice]] = [
    "connections wait": [
      "status": UnknownNameAdvice(suggestions: ["--for status=enabled"]),
      "pending": UnknownNameAdvice(suggestions: ["--for pending=false"]),
      "until": UnknownNameAdvice(suggestions: ["--for"]),
    ]
  ]

  private static let options: [String: UnknownNameAdvice] = [
    "format": UnknownNameAdvice(
      suggestions: ["--output"],
      hints: ["Formats: \(Format.allCases.map(\.rawValue).joined(separator: ", ")); --json is short for --output json."]
    ),
    "limit": UnknownNameAdvice(hints: ["Lists are printed in full. To see fewer rows, add: -o jsonl | head -n 10"]
    ),
    "columns": UnknownNameAdvice(suggestions: ["--fields"]),
    "jq": UnknownNameAdvice(suggestions: ["--fields"], hints: ["Or pipe the JSON output into jq."]),
    "debug": UnknownNameAdvice(suggestions: ["--verbose"]), "trace": UnknownNameAdvice(suggestions: ["--verbose"]),
    "silent": UnknownNameAdvice(suggestions: ["--quiet"]),
    "no-cache": UnknownNameAdvice(hints: ["Use --max-age 0 to fetch everything again."]),
    "no-headers": UnknownNameAdvice(suggestions: ["--no-header"]),
    "no-color": UnknownNameAdvice(hints: ["Use '--color never', or set NO_COLOR."]),
    "config": UnknownNameAdvice(suggestions: ["--profile"], hints: ["IFTTT_HOME sets the folder for all files."]),
    "account": UnknownNameAdvice(suggestions: ["--profile"]), "context": UnknownNameAdvice(suggestions: ["--profile"]),
    "force": UnknownNameAdvice(suggestions: ["--yes"]),
  ]
}

extension UInt8 {
  /// Whether the character can occur in a list such as `id,services.name`.
  fileprivate var isPartOfAList: Bool { isLowercase || ",._".utf8.contains(self) }
}
