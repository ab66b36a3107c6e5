import JSON
import PluginProtocol
import Plugins
import World

/// A plugin that is tested where it lies, without being installed: whoever names it lets it be run.
struct TestedPlugin {
  let program: PluginProgram
  let isProvider: Bool

  /// - Parameter path: of its folder, its `plugin.json` or its executable.
  /// - Throws: `refused` where it is no plugin.
  init(at path: String, in world: World) throws {
    let folder = try Self.folder(of: path, in: world)
    let file = "\(folder)/plugin.json"
    let manifest: JSONValue
    do { manifest = try JSONValue(parsing: try world.files.read(file, limit: 1 << 20)) } catch {
      throw Problem(
        .refused, "there is no plugin at '\(path)'", reason: "\(file): \(error)",
        hint: "Give the folder that its plugin.json lies in.")
    }
    guard let name = manifest["name"]?.string.flatMap(PluginName.init(parsing:)) else {
      throw Problem(.refused, "'\(file)' gives no name that a plugin may have")
    }
    let executable = manifest["executable"]?.string ?? "ifttt-\(name)"
    guard !executable.utf8.contains(UInt8(ascii: "/")) else {
      throw Problem(.refused, "'\(file)' names an executable elsewhere", reason: executable)
    }
    func strings(_ member: String) -> [String] { manifest[member]?.array?.compactMap(\.string) ?? [] }
    isProvider = manifest["kind"]?.string != "command"
    program = PluginProgram(
      name: name, version: manifest["version"]?.string ?? "", path: "\(folder)/\(executable)", folder: folder,
      capabilities: Set(strings("capabilities")), credentials: strings("credentials"),
      environment: Self.environment(of: world, granting: strings("environment"), folder: folder))
  }

  private static func folder(of path: String, in world: World) throws -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    // A name without a slash would be looked for on PATH.
    let whole = path.hasPrefix("/") || path.hasPrefix("./") || path.hasPrefix("../") ? path : "./\(path)"
    guard (try? world.files.facts(whole))?.kind != .folder else { return whole }
    guard let slash = whole.lastIndex(of: "/") else { return "." }
    return slash == whole.startIndex ? "/" : String(whole[..<slash])
  }

  private static func environment(of world: World, granting granted: [String], folder: String) -> [String] {
    let names = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TERM", "TMPDIR", "NO_COLOR"]
    let kept = (names + granted).compactMap { name in world.environment[name].map { "\(name)=\($0)" } }
    return kept + ["PYTHONDONTWRITEBYTECODE=1", "IFTTT_PLUGIN_DIR=\(folder)"]
  }
}
