#if os(Linux)
  import Foundation
  import Store
  import Testing
  import Text
  import World

  /// A disk that becomes full after a secret was obtained and before it is saved.
  @Suite struct FullDiskTests {
    let home = TestHome()

    /// Returns a store whose state folder cannot be created, because a file has its name.
    private func store(temporaryFolder: String) throws -> Store {
      let key = String(repeating: "0123456789abcdef", count: 4)
      try home.write(Array(key.utf8), to: "my.key")
      home.environment["IFTTT_STORE_KEY_FILE"] = "\(home.path)/my.key"
      home.environment["TMPDIR"] = temporaryFolder
      let directories = try #require(
        AppDirectories(environment: [
          "HOME": home.path, "XDG_DATA_HOME": "\(home.path)/data", "XDG_STATE_HOME": "\(home.path)/my.key",
        ]))
      return Store(directories: directories, world: home.world, busyTimeout: .milliseconds(1))
    }

    /// Replaces the open log with the device that is always full.
    private func fillDisk() throws {
      let folder = "/proc/self/fd"
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        guard target == "\(home.path)/data/ifttt/ifttt.db-wal", let descriptor = Int32(name) else { continue }
        let full = open("/dev/full", O_RDWR)
        dup2(full, descriptor)
        close(full)
      }
    }

    @Test func secretIsWrittenToTheTemporaryFolder() throws {
      let error = failure {
        _ = try store(temporaryFolder: home.path).saving(.serviceKey, userID: "", profile: "default") {
          try fillDisk()
          return token
        }
      }
      let name = try #require(home.names().first { $0.hasPrefix("recovered-service_key-") })
      #expect(home.bytes(name) == Array("\(token.revealed)\n".utf8))
      #expect(error?.code == .full)
      #expect(error?.message.contains("it is in \(home.path)/\(name)") == true)
    }

    @Test func reportsASecretThatCannotBeSavedAnywhere() throws {
      let error = failure {
        _ = try store(temporaryFolder: "\(home.path)/my.key").saving(.userToken, userID: "", profile: "default") {
          try fillDisk()
          return token
        }
      }
      #expect(error?.code == .full)
      #expect(error?.message.contains("it could not be saved anywhere") == true)
      #expect(error?.message.contains(token.revealed) == false)
    }

    @Test func failedKeyFileSpendsNothing() throws {
      let store = try store(temporaryFolder: home.path)
      home.environment = [:]
      let keyless = Store(directories: store.directories, world: home.world)
      let error = failure {
        _ = try keyless.saving(.userToken, userID: "", profile: "default") {
          Issue.record("the single-use value was spent")
          return token
        }
      }
      #expect(error?.code == .unreadable)
    }
  }
#endif
