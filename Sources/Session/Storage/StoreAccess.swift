import CommandLine
package import Sandbox
package import Store
import Text
package import World

/// The store and the profile of one run. Both are opened on first use.
package final class StoreAccess {
  let world: World
  let options: GlobalOptions
  let console: Console
  /// The store, if it was opened.
  private(set) var openedStore: Store?
  /// Whether a profile that does not exist yet is treated as an empty one.
  package var allowsNewProfile = false
  private var selectedName: ProfileName?
  private var selectedProfile: Profile?
  private var openedPending: PendingConnections?
  private var foundFolder: FolderSettings??

  init(_ world: World, _ options: GlobalOptions, _ console: Console) {
    (self.world, self.options, self.console) = (world, options, console)
  }

  package var store: Store {
    get throws {
      if let store = openedStore { return store }
      guard let directories = AppDirectories(environment: world.environment) else {
        throw Problem(
          .storeUnreadable, "cannot determine the folder for the program's files",
          reason: "neither HOME nor IFTTT_HOME is set",
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

  /// The settings of the working folder. A replay has none.
  package var folder: FolderSettings? {
    get throws {
      if let folder = foundFolder { return folder }
      let folder =
        options.replayFolder != nil
        ? nil
        : try FolderSettings.find(in: world) { [console] path, reason in
          console.note("Ignoring \(path): \(reason).")
        }
      if let folder { console.diagnose("settings of this folder: \(folder.path)") }
      foundFolder = .some(folder)
      return folder
    }
  }

  /// The profile selected by the option, the environment, the working folder or `profile use`, or else `default`.
  package var profileName: ProfileName {
    get throws {
      if let name = selectedName { return name }
      let name = try options.profile ?? usualProfile
      selectedName = name
      return name
    }
  }

  /// The profile that commands use without `--profile`.
  package var usualProfile: ProfileName { get throws { try usualSelection.name } }

  /// The profile that commands use without `--profile`, and what selects it: a variable, the path of a file, a command,
  /// or nothing.
  private var usualSelection: (name: ProfileName, origin: String) {
    get throws {
      if let name = world.environment[.profile].flatMap(ProfileName.init(parsing:)) {
        return (name, EnvironmentVariable.profile.name)
      }
      if let folder = try folder, let name = folder.profile { return (name, folder.path) }
      let chosen = try store.currentProfile().flatMap(ProfileName.init(parsing:))
      return chosen.map { ($0, "profile use") } ?? (.standard, "default")
    }
  }

  /// What selected the profile: `--profile`, or as in ``usualSelection``.
  package var profileOrigin: String {
    get throws {
      // The option has the value of the variable too.
      guard let name = options.profile, world.environment[.profile] != name.description else {
        return try usualSelection.origin
      }
      return "--profile"
    }
  }

  /// - Throws: `not_found` if a named profile does not exist.
  package var profile: Profile {
    get throws {
      if let profile = selectedProfile { return profile }
      let name = try profileName
      let found = try store.profile(name.description)
      guard found != nil || name.isBuiltIn || allowsNewProfile else { throw noProfile(name) }
      if name.isSandbox { try noteKeptSeed() }
      let profile = found ?? Profile(name: name.description)
      selectedProfile = profile
      return profile
    }
  }

  /// The profile's record of pending connections, read on first use.
  package var pendingConnections: PendingConnections {
    get throws {
      if let pending = openedPending { return pending }
      let pending = try PendingConnections(self)
      openedPending = pending
      return pending
    }
  }

  package func noProfile(_ name: ProfileName) -> Problem {
    let known = (try? store.profiles().map(\.name)) ?? []
    let builtIn = [ProfileName.standard, .sandbox].map(\.description)
    let near = NearestNames.of(name.description, among: known + builtIn.filter { !known.contains($0) })
    return Problem(
      .notFound, "no profile '\(name)'",
      hint: (near.isEmpty ? Hint("") : "Did you mean \(near.map { "'\($0)'" }.listed(with: "or"))? ")
        + "Create it with \(ifttt: "profile create \(name)"), or list all with \(ifttt: "profile list").")
  }
}

extension StoreAccess {
  /// Whether nothing is set up yet: only the sandbox profile exists, so nothing is tracked. False if the store
  /// cannot be read.
  package static func isNew(_ options: GlobalOptions, in world: World) -> Bool {
    let access = StoreAccess(world, options, Console(world, options, isReplay: false))
    guard let profiles = try? access.store.profiles() else { return false }
    return profiles.allSatisfy { $0.name == ProfileName.sandbox.description }
  }

  /// Tracks the sandbox's connections in a new sandbox profile. After the first tracked connection, the user controls
  /// the list. A dry run writes nothing; ``plannedSandboxIDs`` replaces it.
  package func trackSandboxOnce() throws {
    guard try isSandboxUntouched, !options.isDryRun else { return }
    _ = try store.track(SandboxFixtures.connectionIDs, profile: ProfileName.sandbox.description)
  }

  /// The connections that the first run without `--dry-run` would track; empty except in a dry run before that run.
  package var plannedSandboxIDs: [String] {
    get throws { try options.isDryRun && isSandboxUntouched ? SandboxFixtures.connectionIDs : [] }
  }

  private var isSandboxUntouched: Bool {
    get throws { try profileName.isSandbox && !store.hasTracked(profile: ProfileName.sandbox.description) }
  }

  /// Whether the profile tracks a connection, or would track it without `--dry-run`.
  package func isTracked(_ id: String) throws -> Bool {
    try store.isTracked(id, profile: profile.name) || plannedSandboxIDs.contains(id)
  }

  /// Resets the sandbox profile. The profile itself always exists, and stays the default profile if it was.
  /// - Parameter seed: The seed of the new state; nil for the one that the environment requests.
  package func resetSandboxProfile(to seed: BuiltInSeed? = nil) throws {
    let name = ProfileName.sandbox.description
    let isDefault = try store.currentProfile() == name
    try openSandboxState(seed: seed).reset()
    _ = try store.removeProfile(name)
    if isDefault { try store.useProfile(name) }
  }
}
