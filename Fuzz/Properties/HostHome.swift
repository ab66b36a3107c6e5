import PluginProtocol
import Store
import Text
import World

/// The home of a user with credentials: some of the plugin, some of others.
struct HostHome {
  static let plugin = "shelf"
  static let granted = ["shelf_*"]
  private static let secrets = ["token-of-the-user-0123456789", "value-of-another-plugin-0123456789"]
  private static let original = OriginalHome()

  private let store: Store

  init(_ folder: FuzzFolder) {
    for (name, bytes) in Self.original.files { folder.write(bytes, to: name) }
    store = Store(directories: AppDirectories(all: folder.path), world: .fixed, busyTimeout: .milliseconds(1))
  }

  /// Whether a page may be opened: https, or this machine.
  static func isPage(_ url: String) -> Bool {
    if url.utf8.starts(with: "https://".utf8) { return true }
    return ["http://127.0.0.1", "http://[::1]"].contains { origin in
      url.utf8.starts(with: origin.utf8)
        && url.utf8.dropFirst(origin.utf8.count).first.map { ":/?#".utf8.contains($0) } ?? true
    }
  }

  /// What the plugin may not have received.
  func problem(of received: [UInt8]) -> String? {
    for line in received.split(separator: UInt8(ascii: "\n")) where (try? Message(parsing: Array(line))) == nil {
      return "the plugin receives something that is not a message"
    }
    return Self.secrets.contains(where: received.holds) ? "the plugin receives a credential of others" : nil
  }

  /// What the plugin may not have changed.
  var problem: String? {
    do throws(StoreError) {
      let own = try StoredPluginCredentials(store, of: Self.plugin, profile: "default").names()
      guard own.allSatisfy({ $0.hasPrefix("shelf_") }) else { return "a credential that was not granted: \(own)" }
      guard try StoredPluginCredentials(store, of: "other", profile: "default").value("other_token") == Self.secrets[1]
      else {
        return "a credential of another plugin was changed"
      }
      let token = try store.credential(.userToken, userID: "ann", profile: "default")?.revealed
      return token == Self.secrets[0] ? nil : "the user's token was changed"
    } catch { return "the store is unusable: \(error)" }
  }

  /// The files of the home, made once.
  private struct OriginalHome {
    var files: [(name: String, bytes: [UInt8])] = []

    init() {
      let folder = FuzzFolder("original-home")
      do {
        var world = World.fixed
        world.random = LiveRandom()
        let store = Store(directories: AppDirectories(all: folder["home"]), world: world)
        folder.makeFolder("home")
        if let secret = Secret(parsing: HostHome.secrets[0]) {
          try store.save(secret, as: .userToken, userID: "ann", profile: "default")
        }
        _ = try StoredPluginCredentials(store, of: HostHome.plugin, profile: "default").change(
          saving: [("shelf_token", "granted-0123456789")], removing: [])
        _ = try StoredPluginCredentials(store, of: "other", profile: "default").change(
          saving: [("other_token", HostHome.secrets[1])], removing: [])
        _ = try store.backUp(to: folder["ifttt.db"], replacing: false)
      } catch { fatalError("the home cannot be made: \(error)") }
      files = [("ifttt.db", folder.bytes("ifttt.db") ?? []), ("store.key", folder.bytes("home/store.key") ?? [])]
    }
  }
}
