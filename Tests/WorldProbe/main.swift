import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A program that tests control from outside. It performs one operation with the live world and prints the result.
exit(probe(CommandLine.arguments.dropFirst()))

func probe(_ words: ArraySlice<String>) -> Int32 {
  let world = World.live()
  var words = words
  do {
    if words.first == "ready" {
      words.removeFirst()
      // This check installs the handlers before the test is told to continue.
      if !world.interruption.isInterrupted { try say(world, "ready") }
    }
    let operand = words.dropFirst().first ?? ""
    switch words.first {
    case "line": try say(world, world.input.readLine() ?? "nothing")
    case "ahead":
      try say(world, world.input.readLine() ?? "nothing")
      world.input.discardTypeAhead()
      try say(world, "asked")
      try say(world, "<\(world.input.readLine() ?? "nothing")>")
    case "typed":
      try world.errors.write("Address: ")
      let what = try world.input.wait(for: -1, expectsInput: true, atMost: .seconds(3600))
      let bytes = try world.input.readSome()
      try say(world, "<\(what) \(bytes.count) \(String(decoding: bytes.prefix(20), as: UTF8.self).dropLast())>")
    case "all": try say(world, "\(world.input.readAll(limit: Int(operand) ?? 0).count) bytes")
    case "secret":
      let line = try world.input.readSecret {
        var settings = termios()
        let terminal = open("/dev/tty", O_RDWR)
        let echoes = tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO | ECHONL) != 0
        close(terminal)
        try? world.errors.write(echoes ? "Secret, with echo: " : "Secret: ")
      }
      try say(world, "<\(line ?? "nothing")>")
    case "sleep":
      // Check first: this installs the handlers before the test is told to continue.
      if !world.interruption.isInterrupted { try world.errors.write("ready\n") }
      world.clock.sleep(for: .seconds(3600))
      try say(world, world.interruption.isInterrupted ? "interrupted" : "slept")
    case "stubborn":
      if !world.interruption.isInterrupted { try say(world, "ready") }
      world.clock.sleep(for: .seconds(3600))
      try say(world, "interrupted")
      while true { pause() }
    case "again": try world.processes.startAgain(["left", operand])
    case "left":
      // Reports through a named pipe, because all other descriptors are closed.
      let streams = (0...2).map { isatty($0) == 0 && sameFile($0, as: "/dev/null") ? "null" : "open" }
      let others = (3..<200).filter { fcntl($0, F_GETFD) != -1 }
      let words = "\(ProcessArguments.raw().count) \(streams.joined(separator: " ")) \(others) \(getsid(0) == getpid())"
      let pipe = open(operand, O_WRONLY)
      _ = words.withCString { write(pipe, $0, strlen($0)) }
    case "run":
      let result = try world.processes.run(Array(words.dropFirst()), input: [], limit: .seconds(3600))
      try say(world, "status \(result.status)")
    case "start":
      // Prints the program's first output and keeps running.
      let program = try world.processes.start(
        ProgramStart(path: "/bin/sh", arguments: ["-c", operand], environment: ["PATH=/usr/bin:/bin"]))
      if case .output(let bytes) = try program.next(atMost: .seconds(3600), noticesInterruption: true) {
        try world.output.write(bytes)
      }
      world.clock.sleep(for: .seconds(3600))
    case "locked":
      try world.files.locked(operand) {
        try say(world, "locked")
        _ = try world.input.readLine()
      }
    case "count":
      // Reads, adds one and writes, many times. Without a working lock, some updates are lost.
      for _ in 0..<50 {
        try world.files.locked(operand + ".lock") {
          let text = String(decoding: try world.files.read(operand, limit: 100), as: UTF8.self)
          try world.files.replace(operand, with: Array(String((Int(text) ?? 0) + 1).utf8), mode: 0o600)
        }
      }
    case "replace":
      for round in 0... {
        let letter = UInt8(ascii: round % 2 == 0 ? "a" : "b")
        try world.files.replace(operand, with: Array(repeating: letter, count: 100_000), mode: 0o600)
        if round == 0 { try say(world, "begun") }
      }
    case "crash":
      ProcessMemory.hide()
      CrashReport.install(program: "probe 1.2.3")
      if operand == "index" { return elementOutOfRange(words.count) }
      if operand == "stack" { return deepCall(Int32(words.count)) }
      try say(world, "installed")
      world.clock.sleep(for: .seconds(3600))
    case "terminal": try say(world, "\(world.terminal)")
    case "environment": try say(world, world.environment[named: operand] ?? "unset")
    case "words": try say(world, ProcessArguments.raw().dropFirst(2).map { "\($0)" }.joined(separator: " "))
    case "write": while true { try world.output.write([UInt8](repeating: UInt8(ascii: "x"), count: 10_000)) }
    default: return 64
    }
    return 0
  } catch let error as SystemError where error.number == EPIPE {
    return 3
  } catch let error as InputError where error == .interrupted {
    return 130
  } catch {
    try? world.errors.write("\(error)\n")
    return 1
  }
}

@inline(never) func elementOutOfRange(_ index: Int) -> Int32 { [1, 2][index] }

@inline(never) func deepCall(_ depth: Int32) -> Int32 { depth == 0 ? 0 : deepCall(depth + 1) &+ depth }

func sameFile(_ descriptor: Int32, as path: String) -> Bool {
  var (one, other) = (stat(), stat())
  return fstat(descriptor, &one) == 0 && stat(path, &other) == 0 && one.st_rdev == other.st_rdev
    && one.st_ino == other.st_ino
}

func say(_ world: World, _ text: String) throws { try world.output.write(text + "\n") }
