import PluginProtocol
import Plugins
import Text

/// A plugin template: working files into which a name is inserted. The build embeds them from
/// `Examples/plugins/templates`, and the libraries from `Examples/plugins/sdk`.
///
/// In a template, `@NAME@` stands for the plugin's name, and `@VERSION@` and `@REPOSITORY@` for the version and the
/// repository of this program. The lines between a line with `@IF WORDS@` and a line with `@END@` are only for plugins
/// that one of the words describes: the language, the kind, `script` or `compiled`, and `package` if the plugin uses a
/// library of ifttt's package.
struct PluginTemplate {
  enum Language: String, CaseIterable, Sendable {
    case sh, python, javascript, go, swift

    var summary: String {
      switch self {
      case .sh: "a command as a shell script"
      case .python: "Python 3.8 or later, without dependencies"
      case .javascript: "JavaScript for Node 18 or later, without dependencies"
      case .go: "Go 1.19 or later, without dependencies"
      case .swift: "Swift, with the PluginProtocol library of ifttt's package"
      }
    }
  }

  enum Kind: String, CaseIterable, Sendable {
    case provider, command, both

    var summary: String {
      switch self {
      case .provider: "a provider of connections"
      case .command: "a command"
      case .both: "a provider of connections that also has commands"
      }
    }
  }

  struct File {
    let path: String
    let text: String
    var isExecutable = false
  }

  let language: Language
  let kind: Kind
  let name: PluginName
  /// The version of this program, whose package contains the library for plugins in Swift.
  let version: String

  /// The owner and the name of this program's repository, such as `OWNER/ifttt`.
  static let repository = String(
    decoding: PackageResources.repository.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)

  /// All files of the plugin's folder.
  var files: [File] { program + [manifest] + repository }

  /// Whether the program must be built before it can be installed.
  var isCompiled: Bool { language == .go || language == .swift }

  /// The program, its library and its build script.
  private var program: [File] {
    let name = "ifttt-\(name)"
    let isCommand = kind == .command
    switch language {
    case .sh: return [file(name, PackageResources.command_sh, isExecutable: true)]
    case .python:
      let code = isCommand ? PackageResources.command_py : PackageResources.provider_py
      return [file(name, code, isExecutable: true)] + library("ifttt_plugin.py", PackageResources.ifttt_plugin_py)
    case .javascript:
      let code = isCommand ? PackageResources.command_mjs : PackageResources.provider_mjs
      return [file("\(name).mjs", code, isExecutable: true)]
        + library("ifttt_plugin.mjs", PackageResources.ifttt_plugin_mjs)
    case .go:
      return [
        file("go.mod", PackageResources.go_mod),
        file("main.go", isCommand ? PackageResources.command_go : PackageResources.provider_go),
      ] + library("ifttt_plugin.go", PackageResources.ifttt_plugin_go) + [
        file("make-plugin", PackageResources.make_go_plugin, isExecutable: true)
      ]
    case .swift:
      let sources = "Sources/\(name)"
      let code =
        isCommand
        ? [file("\(sources)/main.swift", PackageResources.command_swift)]
        : [
          file("\(sources)/main.swift", PackageResources.provider_swift),
          file("\(sources)/Things.swift", PackageResources.things_swift),
        ]
      return [file("Package.swift", PackageResources.package_swift)] + code + [
        file("make-plugin", PackageResources.make_swift_plugin, isExecutable: true)
      ]
    }
  }

  /// The library for the protocol, unchanged. A command plugin does not need it.
  private func library(_ path: String, _ bytes: [UInt8]) -> [File] {
    kind == .command ? [] : [File(path: path, text: String(decoding: bytes, as: UTF8.self))]
  }

  /// The manifest, which is the same in every language except for the name of the executable.
  private var manifest: File {
    let template =
      switch kind {
      case .command: PackageResources.command_json
      case .provider: PackageResources.provider_json
      case .both: PackageResources.both_json
      }
    let file = file("plugin.json", template)
    guard language != .javascript else { return file }
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    return File(path: file.path, text: lines.filter { !$0.hasPrefix("  \"executable\"") }.joined(separator: "\n"))
  }

  /// The other files of the plugin's repository: .gitignore, a README, and a workflow for GitHub Actions that
  /// publishes a release.
  private var repository: [File] {
    [
      file(".gitignore", PackageResources.gitignore), file("README.md", PackageResources.README_md),
      file(
        ".github/workflows/release.yml",
        language == .swift ? PackageResources.release_swift_yml : PackageResources.release_yml),
    ]
  }

  /// A file made from a template.
  private func file(_ path: String, _ template: [UInt8], isExecutable: Bool = false) -> File {
    let text = selectedLines(of: String(decoding: template, as: UTF8.self))
      .replacing("@NAME@", by: name.description).replacing("@VERSION@", by: version)
      .replacing("@REPOSITORY@", by: Self.repository)
    return File(path: path, text: text, isExecutable: isExecutable)
  }

  /// The lines of a template that apply to this plugin, without the lines of the conditions.
  private func selectedLines(of template: String) -> String {
    var words = [language.rawValue, kind.rawValue, isCompiled ? "compiled" : "script"]
    if language == .swift, kind != .command { words.append("package") }
    var lines: [Substring] = []
    var isSelected = true
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      let marker = line.split(separator: "@", omittingEmptySubsequences: false).dropFirst().first ?? ""
      if marker.hasPrefix("IF ") {
        isSelected = marker.split(separator: " ").dropFirst().contains { words.contains(String($0)) }
      } else if marker == "END" {
        isSelected = true
      } else if isSelected {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }
}
