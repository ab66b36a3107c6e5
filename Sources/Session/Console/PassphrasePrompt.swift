import Store
import Text

extension Console {
  /// The store's passphrase prompt; nil if prompts are unavailable.
  var passphraseQuestion: PassphraseQuestion? {
    guard mayPrompt else { return nil }
    return { [unowned self] purpose throws(StoreError) in
      do {
        guard case .new = purpose else { return Array(try promptForSecret("store passphrase").revealed.utf8) }
        let first = try promptForSecret("new store passphrase")
        guard try promptForSecret("new store passphrase (again)") == first else {
          throw StoreError(
            code: .keyMissing, message: "the two passphrases differ",
            hint: "Run the command again. Nothing was changed."
          )
        }
        return Array(first.revealed.utf8)
      } catch {
        throw StoreError(of: error)
      }
    }
  }
}

extension StoreError {
  /// The store error for a failed prompt.
  fileprivate init(of error: any Error) {
    switch Problem(error) {
    case let problem where problem.code == .interrupted: self = .interrupted
    case let problem: self.init(code: .keyMissing, message: problem.message, hint: problem.hint ?? "")
    }
  }
}
