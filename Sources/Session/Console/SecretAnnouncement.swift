import JSON
package import Text

extension Console {
  /// Makes GitHub Actions mask a secret in its log before the secret is printed.
  package func announce(_ secret: Secret) {
    if WorkflowCommands.areRead(in: world) { world.reveal(WorkflowCommands.mask(secret)) }
  }

  /// Masks the tokens in a response that is printed as received and may contain a newly issued token.
  package func announceTokens(in body: [UInt8]) {
    guard WorkflowCommands.areRead(in: world) else { return }
    for name in ["user_token", "access_token", "token"] {
      let value = body.withUnsafeBytes { bytes -> [UInt8]? in
        var scanner = JSONScanner(bytes)
        guard scanner.next == UInt8(ascii: "{"), let range = try? scanner.value(of: Array(name.utf8)) else {
          return nil
        }
        return Array(scanner.slice(range))
      }
      let text = value.flatMap { try? JSONValue(parsing: $0) }?.string
      if let secret = text.flatMap(Secret.init(parsing:)) { announce(secret) }
    }
  }
}
