import CommandLine
import Session
import Text

enum Init: Command {
  static let name = "init"
  static let summary = "Set up a profile for your service, step by step"
  static let group: String? = "Setup"
  static var discussion: [String] {
    [
      """
      Prompts for what your service needs, one step after another: the service's slug, its service key, a user token, \
      and the connections to track. The service key is verified with IFTTT before it is stored. Each step stores its \
      result in the profile, and prints the command that does the same in a script.
      """,
      """
      An empty line skips a step. After an error the step can be repeated. Ctrl-C ends the command; what is stored by \
      then stays. Secrets are typed without echo, or read from a file if its path is typed. A profile that exists is \
      shown first, and keeps what is skipped.
      """,
      """
      Without a terminal, the command stores nothing, lists the commands for a script, and exits with code 2.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("init", "set up the default profile"),
      ExampleSchema("init --profile staging", "create or complete another profile"),
    ]
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profileName
    guard !profile.isSandbox else {
      throw Problem(
        .refused, "profile 'sandbox' needs no setup", reason: "its service, credentials and connections are built in",
        hint: "Try \(ifttt: "--profile sandbox connections list"), or set up another profile with --profile NAME.")
    }
    guard session.recording == nil else {
      throw Problem(
        .refused, "'init' cannot be recorded", reason: "each of its steps is a command of its own",
        hint: "Omit --record.")
    }
    let steps = SetupSteps(profile, in: session)
    guard session.console.mayPrompt else {
      throw Problem(
        .usage, "'init' needs a terminal",
        hint: "In a script, run the listed commands instead, with your own values.",
        details: try steps.script.map { Problem.Detail(parameter: nil, message: $0) })
    }
    try SetupDialog(steps, in: session).run()
    return .nothing
  }
}
