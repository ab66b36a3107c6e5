package import CChildProgram
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

#if canImport(Glibc)
  package typealias FileActions = posix_spawn_file_actions_t
  /// POSIX_SPAWN_SETSID, which glibc declares only if GNU extensions are enabled.
  private let newSessionFlag: Int16 = 0x80
#else
  package typealias FileActions = posix_spawn_file_actions_t?
  private let newSessionFlag = Int16(POSIX_SPAWN_SETSID)
#endif

package struct SystemFailure: Error {
  package var call: String
  package var number: Int32
  package init(call: String, number: Int32) { (self.call, self.number) = (call, number) }
}

/// Start a program as a shell would, with default signal handling and no descriptors except those in `streams`.
///
/// Tests run in parallel. A program that inherited the end of another test's pipe would keep that test waiting. If it
/// waited for that test in turn, both would hang.
package func spawn(
  _ words: [[UInt8]], environment: [String: String], folder: String? = nil, newSession: Bool = false,
  streams: (inout FileActions) -> Void
) throws -> Int32 {
  try spawn(
    words, variables: environment.merging(sanitizerVariables) { given, _ in given }.map { "\($0)=\($1)" },
    folder: folder,
    newSession: newSession, streams: streams)
}

/// The variables that a program built with a sanitizer needs, even if a test passes no other variables.
package var sanitizerVariables: [String: String] {
  let own = ProcessInfo.processInfo.environment
  return own.filter { own["IFTTT_SANITIZER"] != nil && ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
}

/// Start a program with variables in the system's format, `NAME=value`. A name may occur more than once.
package func spawn(
  _ words: [[UInt8]], variables: [String], folder: String? = nil, newSession: Bool = false,
  streams: (inout FileActions) -> Void
) throws -> Int32 {
  #if canImport(Glibc)
    var actions = FileActions()
    var attributes = posix_spawnattr_t()
  #else
    var actions: FileActions = nil
    var attributes: posix_spawnattr_t?
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  streams(&actions)
  if let folder { _ = child_program_change_folder(&actions, folder) }
  _ = child_program_close_from(&actions, 3)
  var signals = sigset_t()
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
  #if !canImport(Glibc)
    flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
  #endif
  posix_spawnattr_setflags(&attributes, flags | (newSession ? newSessionFlag : 0))
  var arguments = words.map(copied) + [nil]
  var entries = variables.map { copied(Array($0.utf8)) } + [nil]
  defer { for text in arguments + entries { free(text) } }
  var id: pid_t = 0
  let error = posix_spawnp(
    &id, String(decoding: words[0], as: UTF8.self), &actions, &attributes, &arguments, &entries)
  guard error == 0 else { throw SystemFailure(call: "posix_spawn", number: error) }
  return id
}

/// A C string of these bytes, whether or not they are valid UTF-8.
private func copied(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  (bytes + [0]).withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in text.baseAddress.flatMap { strdup($0) } }
  }
}

/// A pipe that programs started by other tests do not inherit.
package func closedOnExecPipe() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw SystemFailure(call: "pipe", number: errno) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Wait for a process to exit.
/// - Returns: The exit status, or the negative signal number.
package func exitStatus(of id: Int32) -> Int32 {
  var status: Int32 = 0
  while waitpid(id, &status, 0) == -1 && errno == EINTR {}
  return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
}
