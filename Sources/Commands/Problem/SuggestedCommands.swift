import Arguments
import Phrases
import World

/// Completes the commands that hints suggest with the global options in force, so that they work when pasted.
///
/// Hints are written without knowledge of the command line, some of them in modules that have none. The options are
/// therefore added where text leaves the program.
///
/// Only options that decide what a command acts on, or in which language, are added. Options for output, time limits or
/// effects (`--offline`, `--dry-run`) would make the suggested command do something else.
struct SuggestedCommands {
  /// The options, a space before each; empty if there is nothing to carry.
  let options: String
  private let isCommand: (String) -> Bool

  /// - Parameter isCommand: whether a word names a command of the program or of a plugin.
  init(_ options: GlobalOptions, environment: (String) -> String?, isCommand: @escaping (String) -> Bool) {
    var words = ""
    // Environment variables apply to the pasted command anyway.
    if let profile = options.profile?.description, environment("IFTTT_PROFILE") != profile {
      words += " --profile \(profile)"
    }
    if let locale = options.locale { words += " --locale \(locale.text)" }
    if options.usesNoPlugins, environment(PluginTree.variable) == nil { words += " \(PluginTree.option)" }
    self.options = words
    self.isCommand = isCommand
  }

  init(_ options: GlobalOptions, in world: World, root: CommandGroup<Action, Shape?>) {
    self.init(options, environment: { world.environment[$0] }) { root.node(at: [$0]) != nil }
  }

  /// Commands that these options do not matter to.
  static let unaffected: Set = ["profile", "plugin", "store", "schema", "completion", "man", "help", "version"]

  /// The text with the options behind `ifttt` in each command.
  func completed(_ text: String) -> String {
    guard !options.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let name = Array("ifttt ".utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      guard bytes[place...].starts(with: name), !(place > 0 && bytes[place - 1].continuesAWord),
        let word = Self.word(in: bytes[(place + name.count)...]), !Self.unaffected.contains(word), isCommand(word),
        !Self.namesAProfile(bytes[place...])
      else {
        result.append(bytes[place])
        place += 1
        continue
      }
      result += Array("ifttt\(options) ".utf8)
      place += name.count
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the command, up to its closing quote, says for which profile it is, as one that was typed before may.
  private static func namesAProfile(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(decoding: bytes.prefix { $0 != UInt8(ascii: "'") }, as: UTF8.self).contains(" --profile")
  }

  /// The name that the bytes begin with.
  private static func word(in bytes: ArraySlice<UInt8>) -> String? {
    let word = bytes.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
    guard let first = word.first, first != UInt8(ascii: "-") else { return nil }
    return String(decoding: word, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether a name that follows this byte is part of a longer word, such as a path or a host.
  fileprivate var continuesAWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Session {
  var suggestions: SuggestedCommands { SuggestedCommands(options, in: world, root: root) }
}

extension Problem {
  /// The same problem, its hint completed with the global options in force.
  func completed(with suggestions: SuggestedCommands) -> Problem {
    var problem = self
    problem.hint = hint.map(suggestions.completed)
    return problem
  }
}
