package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program started by a test. It reads from `/dev/null`, a file or a pipe, and writes to a pipe or a file.
package final class ChildProgram {
  package enum Input {
    case nothing
    case file(String)
    /// A pipe that stays open until ``endInput()``.
    case pipe
  }
  package enum Output {
    case nothing
    /// The stream of the tests.
    case inherited
    case file(String)
    case pipe
  }

  package let id: Int32
  private var input: FileHandle?
  /// The program's stdout, if it is a pipe.
  package let output: FileHandle?
  private var status: Int32?

  /// - Parameters:
  ///   - words: The name of a program on PATH, and its arguments.
  ///   - environment: The program's whole environment; nil to inherit the tests' environment.
  ///   - joinsErrors: Whether stderr is redirected to stdout.
  package init(
    _ words: [String], environment: [String: String]? = nil, folder: String? = nil, input: Input = .nothing,
    output: Output = .nothing, errors: Output = .inherited, joinsErrors: Bool = false
  ) throws {
    var given: (read: Int32, write: Int32)?
    var taken: (read: Int32, write: Int32)?
    if case .pipe = input { given = try closedOnExecPipe() }
    if case .pipe = output { taken = try closedOnExecPipe() }
    id = try spawn(
      words.map { Array($0.utf8) }, environment: environment ?? ProcessInfo.processInfo.environment, folder: folder
    ) { actions in
      switch input {
      case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
      case .pipe: posix_spawn_file_actions_adddup2(&actions, given?.read ?? -1, 0)
      }
      Self.direct(output, to: 1, pipe: taken?.write, in: &actions)
      if joinsErrors {
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
      } else {
        Self.direct(errors, to: 2, pipe: nil, in: &actions)
      }
    }
    self.input = given.map { FileHandle(fileDescriptor: $0.write, closeOnDealloc: true) }
    self.output = taken.map { FileHandle(fileDescriptor: $0.read, closeOnDealloc: true) }
    for end in [given?.read, taken?.write] { if let end { close(end) } }
  }

  deinit {
    guard status == nil else { return }
    kill()
    wait()
  }

  package func endInput() {
    try? input?.close()
    input = nil
  }

  package func kill(_ signal: Int32 = SIGKILL) {
    guard status == nil else { return }
    #if canImport(Glibc)
      _ = Glibc.kill(id, signal)
    #else
      _ = Darwin.kill(id, signal)
    #endif
  }

  /// Wait for the program to exit.
  /// - Returns: The exit status, or the negative signal number.
  @discardableResult
  package func wait() -> Int32 {
    if let status { return status }
    let ended = exitStatus(of: id)
    status = ended
    return ended
  }

  private static func direct(_ output: Output, to stream: Int32, pipe: Int32?, in actions: inout FileActions) {
    switch output {
    case .nothing: posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    case .inherited: posix_spawn_file_actions_adddup2(&actions, stream, stream)
    case .file(let path): posix_spawn_file_actions_addopen(&actions, stream, path, O_WRONLY, 0)
    case .pipe: posix_spawn_file_actions_adddup2(&actions, pipe ?? -1, stream)
    }
  }
}
