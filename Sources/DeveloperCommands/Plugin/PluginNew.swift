import CommandLine
import PluginProtocol
import Plugins
import Session
import Text
import World

private struct NewPlugin: OutputRecord {
  let template: PluginTemplate
  let path: String

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME") { $0.template.name.description },
    Field("language", "The programming language", column: "LANGUAGE") { $0.template.language.rawValue },
    Field("kind", "The kind: provider, command or both", column: "KIND") { $0.template.kind.rawValue },
    Field("path", "The path of the new folder", column: "PATH") { $0.path },
    Field("files", "The files in it", column: "FILES") { $0.template.files.map(\.path) },
  ]
}

enum PluginNew: Command {
  struct Options: CommandOptions {
    var name = Required<PluginName>()
    var language = PluginTemplate.Language.sh
    var kind: PluginTemplate.Kind?
    var folder: String?
  }

  static let name = "new"
  static let summary = "Create a plugin from a template"
  static var discussion: [String] {
    [
      """
      Creates the folder ifttt-NAME with a plugin.json and a program that passes 'ifttt plugin test'. A provider in \
      Python, JavaScript or Go comes with a library in one file. A program in Go or Swift is built with make-plugin. A \
      provider in Swift uses a library in ifttt's own package, which SwiftPM fetches. Set IFTTT_PACKAGE to the path of \
      a checkout to use that instead.
      """,
      """
      The folder can become a repository: it has a README, a .gitignore, and a workflow for GitHub Actions that \
      publishes a release for a tag such as v0.1.0: the archives for each platform, their signatures, and an index.
      """,
      "Run the plugin from its folder while you edit it: 'ifttt plugin link PATH'.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "language", .oneOf(PluginTemplate.Language.self, placeholder: "LANGUAGE", help: \.summary), into: \.language,
        defaultText: "sh", help: "Language of the template"),
      .value(
        "kind", .oneOf(PluginTemplate.Kind.self, placeholder: "KIND", help: \.summary), into: \.kind,
        defaultText: "both; command for sh", help: "Kind of plugin"),
      .value("directory", .directory, into: \.folder, defaultText: "./ifttt-NAME", help: "New folder to create"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.newPluginName, into: \.name, help: "Name of the plugin, and of the command that it adds")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin new tides", "create a command plugin in ./ifttt-tides"),
      ExampleSchema("plugin new shelf --language python", "create a provider plugin with commands in Python"),
      ExampleSchema("plugin new shelf --language go --kind provider", "create a provider plugin in Go"),
    ]
  }
  static var shape: OutputSchema? { .one(NewPlugin.self) }

  static func check(_ options: Options) throws(Conflict) {
    guard options.language == .sh, let kind = options.kind, kind != .command else { return }
    throw Conflict(
      "a provider exchanges JSON messages, for which sh has no library; pass --language python, javascript, go or swift",
      options: ["kind", "language"])
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    if let reason = session.plugins.discovery.problem(ofName: name.description) {
      throw Problem(
        .refused, "a plugin cannot be named '\(name)'", reason: reason,
        hint: PluginName(parsing: "my-\(name)").map { "Choose another name, such as: \(ifttt: "plugin new \($0)")" }
          ?? "Choose another name.")
    }
    let kind = options.kind ?? (options.language == .sh ? .command : .both)
    let template = PluginTemplate(language: options.language, kind: kind, name: name, version: programVersion)
    let folder = options.folder ?? "\(session.world.workingFolder)/ifttt-\(name)"
    if session.options.isDryRun { return session.dryRun(change: "Would create a plugin in \(folder).") }
    let files = session.world.files
    do throws(SystemError) { try files.makeNewFolder(folder) } catch {
      throw Problem(
        .refused, "the plugin was not created", reason: error.description,
        hint: "Choose another folder with --directory.")
    }
    for file in template.files {
      let path = "\(folder)/\(file.path)"
      if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) { try files.makeFolder(String(path[..<slash])) }
      try files.replace(path, with: Array(file.text.utf8), mode: file.isExecutable ? 0o755 : 0o644)
    }
    session.console.noteToPerson(template.advice(for: folder))
    return .one(NewPlugin(template: template, path: folder))
  }
}

extension PluginTemplate {
  fileprivate func advice(for folder: String) -> Hint {
    isCompiled
      ? "Build it with \(shell: "\(path: folder)/make-plugin"), then: \(ifttt: "plugin link \(path: folder)/plugin")"
      : "Try it: \(ifttt: "plugin link \(path: folder)")"
  }
}

extension ValueKind<PluginName> {
  fileprivate static var newPluginName: ValueKind {
    .parsed("NAME", expected: "a lowercase letter, then at most 31 lowercase letters, digits and hyphens") {
      PluginName(parsing: $0)
    }
  }
}
