import CommandContext
import Display
import Hints
import JSON
import PluginHost
import PluginProtocol
import Plugins
import Store
import Time
import World

extension OutputSchema {
  static var plugins: OutputSchema {
    OutputSchema(
      name: "plugins", record: RecordSchema(PluginRegistry.Entry.listed),
      columns: [
        Column("NAME", "name", overflow: .keep), Column("VERSION", "version"), Column("KIND", "kind"),
        Column("STATUS", "status", overflow: .keep), Column("PROBLEM", "problem"),
      ])
  }

  static var pluginDetails: OutputSchema {
    OutputSchema(
      name: "plugin-show",
      record: RecordSchema([
        "name": .string, "version": .optionalString, "kind": .optionalString, "path": .string,
        "status": .word(PluginStatus.allCases.map(\.rawValue)), "problem": .optionalString, "advice": .optionalString,
        "summary": .optionalString, "vendor": .optionalString, "executable": .optionalString, "protocol": .strings,
        "capabilities": .strings, "hosts": .strings, "credentials": .strings, "environment": .strings,
        "commands": .strings, "origin": .optionalString, "installed_at": .optionalString, "sha256": .optionalString,
        "files": .optionalInt, "size": .optionalInt,
      ]),
      columns: [
        Column("NAME", "name", overflow: .keep), Column("VERSION", "version"), Column("KIND", "kind"),
        Column("SUMMARY", "summary", style: .foreign), Column("VENDOR", "vendor", style: .foreign),
        Column("STATUS", "status"),
        Column("PROBLEM", "problem", overflow: .keep), Column("TO DO", "advice", overflow: .keep),
        Column("COMMANDS", "commands"), Column("HOSTS", "hosts", style: .foreign), Column("CREDENTIALS", "credentials"),
        Column("ENVIRONMENT", "environment"), Column("PATH", "path", overflow: .keep), Column("FROM", "origin"),
        Column("INSTALLED", "installed_at"), Column("SHA-256", "sha256", overflow: .keep),
        Column("FILES", "files", style: .number), Column("BYTES", "size", style: .number),
      ], form: .one)
  }
}

extension PluginRegistry.Entry {
  fileprivate static var listed: KeyValuePairs<String, RecordSchema.Kind> {
    [
      "name": .string, "version": .optionalString, "kind": .optionalString, "path": .string,
      "status": .word(PluginStatus.allCases.map(\.rawValue)), "problem": .optionalString,
    ]
  }

  private var manifest: Manifest? { try? plugin.manifest.get() }
  /// The trust record of a plugin whose files are missing; nil for other plugins.
  private var installed: PluginTrust? { verdict.status == .missing ? trust : nil }
  var version: String? { manifest?.version ?? installed?.version }
  private var kind: String? { manifest?.kind.rawValue ?? installed?.kind }

  private var members: [(key: String, value: JSONValue)] {
    [
      (key: "name", value: JSONValue(plugin.name)), (key: "version", value: JSONValue(version)),
      (key: "kind", value: JSONValue(kind)), (key: "path", value: JSONValue(plugin.folder)),
      (key: "status", value: JSONValue(verdict.status.rawValue)), (key: "problem", value: JSONValue(verdict.problem)),
    ]
  }

  var row: [UInt8] { JSONValue.object(JSONObject(members: members)).bytes }

  func details(_ session: Session) -> [UInt8] {
    let contents = try? PluginContents(of: plugin.folder, in: session.world.files)
    func list(_ texts: [String]?) -> JSONValue { .array((texts ?? []).map(JSONValue.string)) }
    let more: [(key: String, value: JSONValue)] = [
      (key: "advice", value: JSONValue(verdict.advice?.text)), (key: "summary", value: JSONValue(manifest?.summary)),
      (key: "vendor", value: JSONValue(manifest?.vendor)), (key: "executable", value: JSONValue(plugin.executable)),
      (key: "protocol", value: list(manifest?.protocols)), (key: "capabilities", value: list(manifest?.capabilities)),
      (key: "hosts", value: list(manifest?.hosts)),
      (key: "credentials", value: list(trust?.credentials ?? manifest?.credentials)),
      (key: "environment", value: list(trust?.environment ?? manifest?.environment)),
      (key: "commands", value: list(manifest?.commandLines)), (key: "origin", value: JSONValue(trust?.origin)),
      (key: "installed_at", value: JSONValue(trust?.installedAt.rfc3339)),
      (key: "sha256", value: JSONValue(verdict.sha256 ?? trust?.sha256)),
      (key: "files", value: JSONValue(contents?.files.count)), (key: "size", value: JSONValue(contents?.size)),
    ]
    return JSONValue.object(JSONObject(members: members + more)).bytes
  }
}

extension Manifest {
  /// The command lines that run it, such as `grab login`.
  var commandLines: [String] {
    guard let commands else { return kind == .command ? [name.description] : [] }
    func lines(_ command: ManifestCommand, _ path: String) -> [String] {
      command.subcommands.isEmpty ? [path] : command.subcommands.flatMap { lines($0, "\(path) \($0.name)") }
    }
    return lines(commands, name.description)
  }
}
