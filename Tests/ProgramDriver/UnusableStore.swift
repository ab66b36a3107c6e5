import CSQLite
import Foundation
import Support

/// Ways to make a valid store unusable.
package enum UnusableStore {
  package static let all = ["foreign", "newer", "open to others", "damaged"]

  package static func make(_ defect: String, in home: Home) throws {
    let path = home.folder["ifttt.db"]
    switch defect {
    case "foreign": try change("PRAGMA application_id = 7; CREATE TABLE theirs (a)", path)
    case "newer": try change("PRAGMA user_version = 900", path)
    case "damaged":
      for name in ["ifttt.db-wal", "ifttt.db-shm"] { try? FileManager.default.removeItem(atPath: home.folder[name]) }
      try Data(repeating: 0x55, count: 20_000).write(to: URL(fileURLWithPath: path))
    default: chmod(path, 0o666)
    }
  }

  private static func change(_ sql: String, _ path: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failed(reason: String(cString: sqlite3_errmsg(database)))
    }
  }

  private struct Failed: Error { let reason: String }
}
