import CommandLine
import Commands
import HTTP
import JSON
import PluginProtocol
import Plugins
import Session
import Store
import World

/// The whole program with a hostile provider plugin: it ends with a documented exit code, prints valid JSON and nothing
/// that a terminal would interpret, opens no page without permission, ends the plugin, and neither shows it nor lets it
/// change a credential that was not granted.
enum HostProperties {
  private static let commands = [
    ["connections", "list", "--json"], ["connections", "list", "--provider", "shelf", "-o", "jsonl"],
    ["connections", "show", "shelf:a", "--json"], ["connections", "enable", "shelf:a", "--json"],
    ["connections", "disable", "shelf:a", "shelf:b", "--json"], ["connections", "activate", "shelf:a", "--json"],
    ["connections", "list", "--provider", "shelf", "--max-age", "0s", "--json"], ["connections", "show", "shelf:a"],
  ]

  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    let folder = FuzzFolder("host")
    let home = HostHome(folder)
    let command = choices.one(of: commands)
    let mayBrowse = choices.flag()
    let plugin = HostilePlugin(&choices, greets: choices.flag())
    let (output, errors) = (KeptBytes(), KeptBytes())
    var world = World.fixed(clock: plugin.clock, output: output, errors: errors)
    world.environment = ["IFTTT_HOME": folder.path, "TMPDIR": folder.path, "DISPLAY": ":0"]
    let processes = HostileProcesses { plugin }
    world.processes = processes
    let words = command.map { RawArgument(bytes: Array($0.utf8)) }
    let code = Program.run(
      words, world: world, transport: { OfflineTransport(world: $0) },
      providers: OnlyProvider(provider: provider(mayBrowse: mayBrowse)))
    guard plugin.isEnded else { return "the plugin was not ended" }
    guard !plugin.received.isEmpty else { return "not started: \(String(decoding: errors.bytes, as: UTF8.self))" }
    if let problem = problem(of: output.bytes, isJSON: command.contains("--json")) { return problem }
    guard !errors.bytes.hasControls(except: ["\n"]) else { return "standard error contains a control character" }
    guard code == .success || !errors.bytes.isEmpty else { return "it fails without an error message" }
    guard processes.pages.allSatisfy({ mayBrowse && HostHome.isPage($0) }) else { return "it opens \(processes.pages)" }
    return home.problem(of: plugin.received) ?? home.problem
  }

  private static func problem(of output: [UInt8], isJSON: Bool) -> String? {
    guard !output.hasControls(except: ["\n"]) else { return "standard output contains a control character" }
    guard isJSON, !output.isEmpty else { return nil }
    return (try? JSONValue(parsing: output)) == nil ? "standard output is not JSON" : nil
  }

  private static func provider(mayBrowse: Bool) -> InstalledProvider {
    guard let name = PluginName(parsing: HostHome.plugin) else { fatalError("the name is rejected") }
    let capabilities = PluginOutput.capabilities
    return InstalledProvider(name: name, capabilities: capabilities, needsCredentials: false) {
      PluginProgram(
        name: name, version: "1", path: "/plugins/shelf", folder: "/plugins", capabilities: Set(capabilities),
        credentials: HostHome.granted, usesBrowser: mayBrowse, environment: [])
    }
  }
}

/// A source of one provider.
private struct OnlyProvider: ProviderSource {
  let provider: InstalledProvider

  func installed(_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider] {
    let trusted = TrustedProvider(
      name: provider.name.description, capabilities: provider.capabilities, needsCredentials: provider.needsCredentials)
    return try isIncluded(trusted) ? [provider] : []
  }

  func named(_ name: PluginName) -> InstalledProvider? { provider.name == name ? provider : nil }
  func all() -> [InstalledProvider] { [provider] }
}
