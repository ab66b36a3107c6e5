import PluginProtocol
package import World

extension AdmittedPlugin {
  /// What is started to talk with it.
  package func program(in world: World) -> PluginProgram {
    var program = PluginProgram(
      name: manifest.name, version: manifest.version, path: executable, folder: folder,
      capabilities: Set(manifest.capabilities), credentials: credentials,
      environment: PluginEnvironment.variables(of: name, from: world.environment, granted: environment, folder: folder)
        .map { "\($0.name)=\($0.value)" })
    program.contents = contents
    return program
  }
}
