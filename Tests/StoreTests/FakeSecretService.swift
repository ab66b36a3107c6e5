import World

/// A test double of `secret-tool`.
final class FakeSecretService: Processes {
  let id: Int32 = 1
  var secrets: [[String]: [UInt8]] = [:]
  var isLocked = false
  var forgets = true
  var limits: Set<Duration> = []

  func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
    throws(SystemError) -> ProcessResult
  {
    limits.insert(limit)
    guard arguments.first == "secret-tool", !isLocked else { return ProcessResult(status: 1, output: []) }
    let attributes = arguments.dropFirst(2).filter { !$0.hasPrefix("--") }
    if arguments[1] == "store" {
      secrets[attributes] = input
      return ProcessResult(status: 0, output: [])
    }
    if arguments[1] == "clear" {
      guard forgets else { return ProcessResult(status: 1, output: []) }
      return ProcessResult(status: secrets.removeValue(forKey: attributes) == nil ? 1 : 0, output: [])
    }
    let found = secrets[attributes]
    return ProcessResult(status: found == nil ? 1 : 0, output: found ?? [])
  }

  func openBrowser(_ url: String, with command: String?) throws(SystemError) {}
  func startAgain(_ arguments: [String]) throws(SystemError) {}
}
