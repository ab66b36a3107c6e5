/// The folders for the program's files: `IFTTT_HOME` for all of them if it is set, otherwise the XDG folders.
package struct AppDirectories: Sendable, Equatable {
  package let config: String
  package let data: String
  package let state: String
  package let cache: String

  /// Returns nil if none of `IFTTT_HOME`, the XDG variables and `HOME` determines the folders. A relative XDG path is
  /// ignored, as the XDG Base Directory specification requires.
  package init?(environment: Environment) {
    if let home = environment[.directory], !home.isEmpty {
      (config, data, state, cache) = (home, home, home, home)
      return
    }
    func folder(_ variable: EnvironmentVariable, _ fallback: String) -> String? {
      if let path = environment[variable], path.hasPrefix("/") { return "\(path)/ifttt" }
      guard let home = environment[.home], !home.isEmpty else { return nil }
      return "\(home)/\(fallback)/ifttt"
    }
    guard let config = folder(.configFolder, ".config"), let data = folder(.dataFolder, ".local/share"),
      let state = folder(.stateFolder, ".local/state"), let cache = folder(.cacheFolder, ".cache")
    else { return nil }
    (self.config, self.data, self.state, self.cache) = (config, data, state, cache)
  }

  package init(all folder: String) { (config, data, state, cache) = (folder, folder, folder, folder) }
}
