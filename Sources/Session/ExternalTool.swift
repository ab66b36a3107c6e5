import Text
package import World

/// A program of the system that does part of a command's work, such as git. Its environment, output and time are
/// limited.
package struct ExternalTool {
  package struct Result {
    package let status: Int32
    package let output: [UInt8]
    /// The end of its stderr.
    package let errors: String

    /// The line of stderr with the reason for a failure. Lines with advice may follow it.
    package var reason: String {
      let lines = errors.split(whereSeparator: \.isNewline).map(String.init)
      return lines.first { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? lines.last
        ?? "it exited with status \(status)"
    }
  }

  package let name: String
  private let path: String
  private let world: World
  /// The environment variables that it inherits.
  package var visible = EnvironmentFilter.basic
  /// Environment variables that override inherited ones.
  package var variables: [(name: String, value: String)] = []
  /// The limits of each of its processes.
  package var limits: ResourceLimits?

  /// Finds the program on PATH. Relative folders are skipped, so that no file of the working folder is run.
  /// - Throws: `refused` if it is not installed.
  package init(_ name: String, for purpose: String, in world: World) throws(Problem) {
    (self.name, self.world) = (name, world)
    guard let path = Self.search(in: world).find(name) else {
      throw Problem(
        .refused, "\(name) was not found", reason: "\(purpose) needs it",
        hint: "Install \(name), or add its folder to \(EnvironmentVariable.path.name).")
    }
    self.path = path
  }

  private static func search(in world: World) -> ProgramSearch {
    ProgramSearch(world.environment[.path], in: world.files, skipsRelative: true)
  }

  /// The inherited and overriding variables, with only absolute folders on PATH, in the C locale.
  private var environment: [String] {
    let own: [(name: String, value: String)] =
      [
        (EnvironmentVariable.path.name, Self.search(in: world).folders.joined(separator: ":")),
        (EnvironmentVariable.localeAll.name, "C"),
      ] + variables
    let inherited = (world.environment.visible(visible) ?? []).filter { entry in
      !own.contains { entry.hasPrefix("\($0.name)=") }
    }
    return inherited + own.map { "\($0.name)=\($0.value)" }
  }

  /// Runs the program with the user's terminal, so that it can prompt.
  /// - Returns: the exit status.
  package func runAtTerminal(_ arguments: [String]) throws -> Int32 {
    do throws(SystemError) {
      return try world.processes.runAtTerminal([path] + arguments, environment: environment)
    } catch {
      try world.checkInterruption()
      throw Problem(.refused, "\(name) cannot be started", reason: error.description)
    }
  }

  /// Starts the program, to exchange data with it while it runs.
  package func start(_ arguments: [String]) throws(Problem) -> any RunningProgram {
    do throws(SystemError) {
      return try world.processes.start(
        ProgramStart(path: path, arguments: arguments, environment: environment, limits: limits))
    } catch {
      throw Problem(.refused, "\(name) cannot be started", reason: error.description)
    }
  }

  /// Runs the program and waits for it.
  /// - Parameters:
  ///   - limit: the maximum output in bytes.
  ///   - timeout: the maximum time.
  /// - Throws: ``Problem`` if it cannot be started, exceeds a limit, or is interrupted.
  package func run(
    _ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20, within timeout: Duration = .seconds(60)
  ) throws -> Result {
    let program = try start(arguments)
    defer { program.end(grace: .seconds(1)) }
    program.send(input)
    program.closeInput()
    let deadline = world.clock.monotonic() + timeout
    var (output, errors) = ([UInt8](), [UInt8]())
    while true {
      let left = deadline - world.clock.monotonic()
      switch try program.next(atMost: max(.zero, left), noticesInterruption: true) {
      case .output(let bytes):
        output += bytes
        guard output.count <= limit else {
          throw Problem(.refused, "\(name) was ended", reason: "its output is larger than \(limit) bytes")
        }
      case .errors(let bytes): errors = (errors + bytes).suffix(4096)
      case .outputEnded: continue
      case .ended(let status):
        return Result(status: status, output: output, errors: String(decoding: errors, as: UTF8.self))
      case .timeUp:
        throw Problem(
          .timeout, "\(name) was ended", reason: "it did not finish within \(timeout.components.seconds) s",
          hint: "Try again with a longer --timeout.")
      case .interrupted: throw Problem.interrupted
      }
    }
  }
}
