import Arguments
import CommandContext
import Hints
import PluginHost
import PluginProtocol
import Plugins
import World

private struct NewPlugin: OutputRecord {
  let template: PluginTemplate
  let path: String

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME") { $0.template.name.description },
    Field("language", "The programming language", column: "LANGUAGE") { $0.template.language.rawValue },
    Field("path", "The path of the new folder", column: "PATH") { $0.path },
    Field("files", "The files in it", column: "FILES") { $0.template.files.map(\.path) },
  ]
}

enum PluginNew: Command {
  struct Options: Sendable {
    var name = Required<PluginName>()
    var language = PluginTemplate.Language.sh
    var folder: String?
  }

  static let name = "new"
  static let summary = "Write a plugin that works, to begin with"
  static var discussion: [String] {
    [
      """
      Into the folder ifttt-NAME it writes a plugin.json and a program: in sh a command, in Python and Swift a provider of \
      connections. Change it, then install it with 'ifttt plugin install PATH'.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "language", .oneOf(PluginTemplate.Language.self, placeholder: "LANGUAGE", help: \.summary), into: \.language,
        defaultText: "sh", help: "Write it in this language"),
      .value("directory", .directory, into: \.folder, defaultText: "./ifttt-NAME", help: "Write it to this new folder"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.newPluginName, into: \.name, help: "What the plugin is called, and the command it adds")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin new tides", "a command in ./ifttt-tides"),
      ExampleSchema("plugin new shelf --language python", "a provider of connections"),
    ]
  }
  static var shape: OutputSchema? { .one(NewPlugin.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    if let reason = session.plugins.reserved.problem(ofName: name.description) {
      throw Problem(
        .refused, "a plugin cannot be named '\(name)'", reason: reason,
        hint: PluginName(parsing: "my-\(name)").map { "Choose another name, such as: \(ifttt: "plugin new \($0)")" }
          ?? "Choose another name.")
    }
    let template = PluginTemplate(language: options.language, name: name)
    let beginning = session.world.workingFolder == "." ? "." : session.world.workingFolder
    let folder = options.folder ?? "\(beginning)/ifttt-\(name)"
    if session.options.isDryRun { return session.dryRun(change: "Would write a plugin to \(folder).") }
    let files = session.world.files
    do throws(SystemError) { try files.makeNewFolder(folder) } catch {
      throw Problem(
        .refused, "nothing was written", reason: error.description, hint: "Choose another folder with --directory.")
    }
    for file in template.files {
      let path = "\(folder)/\(file.path)"
      if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) { try files.makeFolder(String(path[..<slash])) }
      try files.replace(path, with: Array(file.text.utf8), mode: file.isExecutable ? 0o755 : 0o644)
    }
    session.noteToPerson(template.advice(for: folder))
    return .one(NewPlugin(template: template, path: folder))
  }
}

extension PluginTemplate {
  fileprivate func advice(for folder: String) -> Hint {
    switch language {
    case .sh, .python: "Try it: \(ifttt: "plugin install \(path: folder)")"
    case .swift:
      "Build it with \(shell: "\(path: folder)/make-plugin"), then: \(ifttt: "plugin install \(path: folder)/plugin")"
    }
  }
}

extension ValueKind<PluginName> {
  /// A valid plugin name.
  fileprivate static var newPluginName: ValueKind {
    .parsed("NAME", expected: "a lower-case letter, then at most 31 lower-case letters, digits and hyphens") {
      PluginName(parsing: $0)
    }
  }
}
