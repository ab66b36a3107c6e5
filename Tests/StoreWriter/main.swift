// Writes to a store until it is finished or killed, for tests that need real processes. Each write is acknowledged by
// a line on stdout after the store has committed it.

import Store
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

func acknowledge(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(3) }
}

func secret(of id: String) -> Secret {
  guard let secret = Secret(parsing: "secret of \(id)") else { exit(4) }
  return secret
}

/// Tracks, caches and saves credentials of one connection after another.
func writeOn(_ store: Store, prefix: String, count: Int) throws {
  for number in 0..<count {
    let id = "\(prefix)-\(number)"
    _ = try store.track([id], profile: "default")
    acknowledge("tracked \(id)")
    try store.cache(
      [
        CachedConnection(
          id: id, name: "Name of \(id)", status: "enabled", document: Array("{\"id\":\"\(id)\"".utf8),
          raw: [0x7b, 0x7d],
          fetchedAt: Timestamp(milliseconds: 1))
      ], as: RequestIdentity("writer"), profile: "default")
    acknowledge("cached \(id)")
    try store.save(secret(of: id), as: .userToken, userID: id, profile: "default")
    acknowledge("sealed \(id)")
  }
}

/// Sets the limit on the size of files.
func limitFiles(to size: rlim_t) {
  var limit = rlimit(rlim_cur: size, rlim_max: rlim_t.max)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
}

/// Simulates a full disk after the secret was obtained.
func exchangeOnFullDisk(_ store: Store) throws {
  defer { limitFiles(to: rlim_t.max) }
  _ = try store.saving(.userToken, userID: "someone", profile: "default") {
    signal(SIGXFSZ, SIG_IGN)
    limitFiles(to: 1024)
    return secret(of: "someone")
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else { exit(2) }
var world = World.live()
world.environment = [:]
// After a rekey, the store waits this long for readers before it leaves the old rows in the log.
let busyTimeout = Duration.seconds(arguments[2] == "rekey" ? 1 : 60)
let store = Store(directories: AppDirectories(all: arguments[1]), world: world, busyTimeout: busyTimeout)
do {
  switch (arguments[2], count) {
  case ("rekey", _): for _ in 0..<count { acknowledge("rekeyed \(try store.rekey(to: .ownFile).keyID)") }
  case (_, 0): try exchangeOnFullDisk(store)
  case (let prefix, _): try writeOn(store, prefix: prefix, count: count)
  }
} catch {
  acknowledge("failed \(error)")
  exit(1)
}
