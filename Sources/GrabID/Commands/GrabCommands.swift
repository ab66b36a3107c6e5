/// The commands of `ifttt grab`, from typed options to output.
package struct GrabCommands {
  let world: GrabWorld
  /// Receives each row as soon as it is known.
  let give: (GrabOutput) throws -> Void

  package init(world: GrabWorld, give: @escaping (GrabOutput) throws -> Void) {
    (self.world, self.give) = (world, give)
  }

  package static let names = ["login", "complete", "status", "id-token", "refresh", "logout", "apps"]

  /// Runs a command.
  /// - Throws: ``GrabError``, ``GrabCancellationError``; output before the error remains.
  package func run(_ invocation: GrabInvocation) throws {
    switch invocation.command {
    case "login": try login(invocation)
    case "complete": try complete(invocation)
    case "status": try status(invocation)
    case "id-token": try idToken(invocation)
    case "refresh": try refresh(invocation)
    case "logout": try logout(invocation)
    case "apps": try apps(invocation)
    default:
      throw GrabError(.badSetting, "unknown command \(DisplayText.shown(invocation.command, limit: 40))")
    }
  }

  var book: AccountStore { AccountStore(world: world) }

  func giveStatus(of account: Account) throws {
    try give(.rows([try SessionStatus(of: account, in: world).json]))
  }
}
