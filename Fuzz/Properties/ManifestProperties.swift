import CommandLine
import JSON
import PluginProtocol
import Plugins

/// An accepted manifest contains nothing that a terminal, a man page or a shell would interpret, and its commands
/// round-trip through their JSON output. The outline that lists of commands use matches the complete manifest.
enum ManifestProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    if let problem = outlineProblem(in: bytes) { return problem }
    guard let manifest = try? Manifest(parsing: bytes) else { return nil }
    guard !manifest.executable.utf8.contains(UInt8(ascii: "/")) else {
      return "its executable is outside of its folder"
    }
    if let problem = manifest.files.lazy.compactMap(fileProblem).first { return problem }
    guard let schema = manifest.schema else { return nil }
    let root = CommandSchema(name: "ifttt", summary: "x", options: [.help], subcommands: [schema])
    for position in CommandPosition(root: root).subtree {
      if let problem = problem(of: position, in: root) { return "\(position.line): \(problem)" }
    }
    guard let commands = manifest.commands else { return nil }
    guard let help = HelpJSON.bytes(root: root, path: [schema.name]), let value = try? JSONValue(parsing: help) else {
      return "its commands cannot be printed as data"
    }
    let again: JSONValue = [
      "schema_version": 1, "name": JSONValue(schema.name), "version": "1", "summary": "x", "kind": "command",
      "commands": value,
    ]
    guard let reread = try? Manifest(parsing: again.bytes), reread.schema == schema else {
      return "its commands do not round-trip"
    }
    return commands.command(at: []) == commands ? nil : "the root command is not found by the empty path"
  }

  /// The user permits a path as it is shown, so nothing may mean another one.
  private static func fileProblem(_ access: FileAccess) -> String? {
    let names = access.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let first = String(Substring(names[0]))
    let root: FileAccess.Root =
      switch first {
      case "": .absolute
      case "~": .home
      case ".": .workingFolder
      case "$TMPDIR": .temporaryFolder
      case "$IFTTT_HOME": .program
      default: .variable(String(first.dropFirst()))
      }
    guard access.root == root, (first + access.rest).utf8.elementsEqual(access.path.utf8) else {
      return "'\(access.path)' means another path"
    }
    return names.dropFirst().contains { $0.elementsEqual("..".utf8) } ? "a path outside of its folder" : nil
  }

  private static func outlineProblem(in bytes: [UInt8]) -> String? {
    let outline = try? ManifestOutline(parsing: bytes)
    for text in [outline?.summary, outline?.command] {
      let controls = text?.unicodeScalars.contains { $0.properties.generalCategory == .control }
      if controls == true { return "an outline with a control character" }
    }
    // If a member is repeated, a complete read uses the last one.
    guard let manifest = try? Manifest(parsing: bytes), let value = try? JSONValue(parsing: bytes), !repeats(value),
      !repeats(value["commands"] ?? [:])
    else { return nil }
    let command = manifest.commands?.summary ?? (manifest.kind == .command ? manifest.summary : nil)
    let isSame =
      outline?.name == manifest.name && outline?.summary == manifest.summary && outline?.command == command
    return isSame ? nil : "its outline differs"
  }

  private static func repeats(_ value: JSONValue) -> Bool {
    let names = value.object?.members.map(\.key) ?? []
    return Set(names).count < names.count
  }

  private static func problem(of position: CommandPosition, in root: CommandSchema) -> String? {
    guard position.path.joined().utf8.allSatisfy(isPlain) else { return "a name that a shell would interpret" }
    guard position.command.options.allSatisfy({ $0.name.utf8.allSatisfy(isPlain) }) else {
      return "an option that a shell would interpret"
    }
    guard let page = HelpPage(root: root, path: position.path, columns: 80)?.text(.complete) else { return "no page" }
    let controls = page.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
    return controls ? "a page with a control character" : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
