import PluginProtocol
package import World

extension TrustedPlugin {
  /// The program to start for a session with the plugin.
  /// - Parameter more: variables from the program itself.
  package func program(in world: World, adding more: [(name: String, value: String)] = []) -> PluginProgram {
    var program = PluginProgram(
      name: manifest.name, version: manifest.version, path: executable, folder: folder,
      capabilities: Set(manifest.capabilities), credentials: credentials,
      environment: PluginEnvironment.variables(
        of: name, from: world.environment, granted: environment, folder: folder, adding: more
      )
      .map { "\($0.name)=\($0.value)" })
    program.contents = contents
    return program
  }
}
