import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// A plugin that is tested in place, without being installed. Naming it permits running it.
struct TestedPlugin {
  let program: PluginProgram
  let kind: Manifest.Kind
  /// Why it could not be installed; nil if it could.
  let problem: String?

  /// - Parameter path: The path of its folder, its `plugin.json` or its executable.
  /// - Throws: `not_found` if nothing exists at the path, `refused` if it is not a plugin.
  init(at path: String, in session: Session) throws {
    let world = session.world
    let folder = try Self.folder(of: path, in: world)
    let manifest: Manifest
    do throws(ManifestError) {
      manifest = try Manifest(forAuthor: Manifest.bytes(inFolder: folder, world.files), acceptingUnknown: true)
    } catch {
      throw Problem.invalidManifest("there is no plugin at '\(path)'", error, in: folder, world.files)
    }
    try BuiltExecutable(path: folder, session: session).check(for: manifest, in: folder, by: ["plugin", "test"])
    kind = manifest.kind
    problem =
      session.plugins.reserved.problem(ofName: manifest.name.description)
      ?? session.plugins.reserved.problem(of: manifest)?.description ?? Self.unknownMember(in: folder, world.files)
    var plugin = TrustedPlugin(
      manifest: manifest, folder: folder, credentials: manifest.credentials, environment: manifest.environment,
      usesBrowser: manifest.usesBrowser, files: manifest.files)
    plugin.storeFiles = (try? session.store.privateFiles) ?? []
    program = plugin.program(
      in: world, adding: manifest.kind == .command ? try session.commandPluginVariables() : [])
  }

  /// An unknown member of the manifest, as an error; nil if there is none.
  private static func unknownMember(in folder: String, _ files: any Files) -> String? {
    do throws(ManifestError) { try UnknownMembers().reject(in: Manifest.bytes(inFolder: folder, files)) } catch {
      return error.description
    }
    return nil
  }

  private static func folder(of path: String, in world: World) throws -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    // A name without a slash would be searched on PATH.
    let whole = path.hasPrefix("/") || path.hasPrefix("./") || path.hasPrefix("../") ? path : "./\(path)"
    guard let kind = (try? world.files.facts(whole))?.kind else {
      throw Problem(
        .notFound, "no file or folder at '\(path)'", hint: "Pass the folder that contains the plugin's plugin.json.")
    }
    guard kind != .folder else { return whole }
    guard let slash = whole.lastIndex(of: "/") else { return "." }
    return slash == whole.startIndex ? "/" : String(whole[..<slash])
  }
}
