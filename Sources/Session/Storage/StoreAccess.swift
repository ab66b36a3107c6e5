import CommandLine
package import Store
import Text
import World

/// The store and the profile of one run. Both are opened on first use.
package final class StoreAccess {
  let world: World
  let options: GlobalOptions
  private let console: Console
  /// The store, if it was opened.
  private(set) var openedStore: Store?
  private var selectedName: ProfileName?
  private var selectedProfile: Profile?

  init(_ world: World, _ options: GlobalOptions, _ console: Console) {
    (self.world, self.options, self.console) = (world, options, console)
  }

  package var store: Store {
    get throws {
      if let store = openedStore { return store }
      guard let directories = AppDirectories(environment: world.environment) else {
        throw Problem(
          .storeUnreadable, "there is no folder for the program's files", reason: "neither HOME nor IFTTT_HOME is set",
          hint: "Set IFTTT_HOME to a folder that you can write to.")
      }
      let store = Store(directories: directories, world: world)
      store.promptForPassphrase = console.passphraseQuestion
      store.noteWait = { [console] in console.note(Hint($0)) }
      openedStore = store
      return store
    }
  }

  /// Releases the store: a program that replaces this process must not hold it open.
  package func close() { openedStore = nil }

  /// The profile of the option, the environment or `profile use`, or else `default`.
  package var profileName: ProfileName {
    get throws {
      if let name = selectedName { return name }
      let name = try options.profile ?? store.currentProfile().flatMap(ProfileName.init(parsing:)) ?? .standard
      selectedName = name
      return name
    }
  }

  /// - Throws: `not_found` if a named profile does not exist.
  package var profile: Profile {
    get throws {
      if let profile = selectedProfile { return profile }
      let name = try profileName
      let found = try store.profile(name.description)
      guard found != nil || name == .standard || name.isSandbox else { throw noProfile(name) }
      let profile = found ?? Profile(name: name.description)
      selectedProfile = profile
      return profile
    }
  }

  package func noProfile(_ name: ProfileName) -> Problem {
    let known = (try? store.profiles().map(\.name)) ?? []
    let builtIn = [ProfileName.standard, .sandbox].map(\.description)
    let near = NearestNames.of(name.description, among: known + builtIn.filter { !known.contains($0) })
    return Problem(
      .notFound, "no profile '\(name)'",
      hint: (near.isEmpty ? Hint("") : "Did you mean \(Problem.list(near.map { "'\($0)'" }))? ")
        + "Create it with \(ifttt: "profile create \(name)"), or list all with \(ifttt: "profile list").")
  }
}
