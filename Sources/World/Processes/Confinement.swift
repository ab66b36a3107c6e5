internal import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that a program may open, in addition to those that it is started with. A confined program also keeps no
/// privileges of root except for files, and cannot send signals to other programs. Enforced by Linux with Landlock; it
/// has no effect on a system without it.
package struct Confinement: Sendable, Equatable {
  /// The files and folders that the program may read, list and execute. Missing ones are skipped.
  package var readable: [String]
  /// The files and folders that the program may also change. Missing ones are skipped.
  package var writable: [String]
  /// The folders that the program may list, with the folders in them, but whose files it may not read. Missing ones are
  /// skipped.
  package var listable: [String]

  package init(readable: [String], writable: [String], listable: [String] = []) {
    (self.readable, self.writable, self.listable) = (readable, writable, listable)
  }

  /// The version of the system's Landlock; 0 if it has none. Signals and abstract sockets are limited from 6 on.
  package static var version: Int { Int(confinement_version()) }

  /// The devices that every program may use.
  private static let devices = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/pts",
  ]

  /// Calls `body` with a descriptor of the rules, or with -1 if the system cannot enforce any.
  func withRules<Result>(_ body: (Int32) throws(SystemError) -> Result) throws(SystemError) -> Result {
    guard Self.version > 0 else { return try body(-1) }
    let rules = confinement_begin()
    guard rules >= 0 else { throw SystemError(number: -rules, call: "landlock_create_ruleset") }
    defer { close(rules) }
    for (paths, access) in [
      (readable, CONFINEMENT_READ), (writable, CONFINEMENT_WRITE), (listable, CONFINEMENT_LIST),
      (Self.devices, CONFINEMENT_DEVICES),
    ] {
      for path in paths {
        let number = confinement_allow(rules, path, Int32(access))
        // A path that the user cannot reach needs no rule.
        guard number == 0 || [ENOENT, ENOTDIR, EACCES, ELOOP].contains(number) else {
          throw SystemError(number: number, call: "limit access to \(path)")
        }
      }
    }
    return try body(rules)
  }
}

extension Confinement {
  /// Limits this process permanently.
  func enforce() throws(SystemError) {
    try withRules { rules throws(SystemError) in
      guard rules >= 0 else { return }
      let number = confinement_enforce(rules)
      guard number == 0 else { throw SystemError(number: number, call: "landlock_restrict_self") }
    }
  }
}

extension LiveProcesses {
  package var confines: Bool { Confinement.version > 0 }
}
