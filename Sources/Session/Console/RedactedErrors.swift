import HTTP
package import Text
package import World

/// The length limit of a credential, in bytes. No server accepts a header this long.
let longestCredential = 64 << 10

/// The stderr of a run: masks credentials in everything that is written.
///
/// It masks the credentials of the run, secrets that were typed as arguments, values behind the names of secrets, and
/// texts in the form of a token. Text that a person must be able to copy bypasses it with ``World/reveal(_:)``.
package final class RedactedErrors: ByteSink {
  fileprivate let sink: any ByteSink
  private var redactor = ExchangeRedactor(as: .masked)
  /// The secrets that were typed; computed when something is written for the first time.
  private var typed: (() -> [Secret])?
  /// The credentials of the session, some of which may be expensive to decrypt.
  private var known: ((_ isWorthDecrypting: Bool) -> [Secret])?

  package init(_ sink: any ByteSink, environment: Environment, typed: @escaping () -> [Secret] = { [] }) {
    self.sink = sink
    self.typed = { environment.secrets + typed() }
  }

  /// A copy without the closures that use the session, for another thread.
  private init(copying other: RedactedErrors) {
    (sink, redactor) = (other.sink, other.redactor)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let shown = redacted(Array(bytes))
    var failure: SystemError?
    shown.withUnsafeBytes { bytes in
      do throws(SystemError) { try sink.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  package var isAbandoned: Bool { sink.isAbandoned }
  package func sizeOfLongWrites() -> Int { sink.sizeOfLongWrites() }

  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    if let typed {
      self.typed = nil
      redactor.learn(typed())
    }
    // A credential that is read while the secrets are collected must not collect them again.
    if let known {
      self.known = nil
      redactor.learn(known(SecretForms.mayHoldToken(bytes)))
      self.known = known
    }
    // A value found by its name is not remembered: the same word elsewhere may mean something else.
    var once = redactor
    return FileName.shown(once.masked(bytes))
  }

  fileprivate func addSecrets(of known: @escaping (_ isWorthDecrypting: Bool) -> [Secret]) { self.known = known }

  fileprivate func copy() -> RedactedErrors {
    _ = redacted([])
    return RedactedErrors(copying: self)
  }
}

extension World {
  private var redactedErrors: RedactedErrors? { errors as? RedactedErrors }

  /// This world with a stderr that masks credentials.
  package func redactingErrors(typed: @escaping () -> [Secret]) -> World {
    var world = self
    world.errors = RedactedErrors(errors, environment: environment, typed: typed)
    return world
  }

  /// A redactor of the credentials in the environment, for a usage error.
  package var environmentRedactor: Redactor { Redactor(environment.secrets) }

  /// A text as stderr would show it.
  package func redacted(_ text: String) -> String {
    redactedErrors.map { String(decoding: $0.redacted(Array(text.utf8)), as: UTF8.self) } ?? text
  }

  /// Bytes as stderr would show them, for a dry run, which prints to stdout.
  package func redacted(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    redactedErrors.map { $0.redacted(Array(bytes)) } ?? Array(bytes)
  }

  /// Also masks the credentials of a session.
  func redact(_ known: @escaping (_ isWorthDecrypting: Bool) -> [Secret]) { redactedErrors?.addSecrets(of: known) }

  /// The stderr for another thread, which must not use the session.
  package var errorsOfThread: any ByteSink { redactedErrors?.copy() ?? errors }

  /// Writes text to stderr as it is: a URL that a person opens, or a command of a CI service that masks a secret.
  package func reveal(_ text: String) {
    var text = text
    text.withUTF8 { try? (redactedErrors?.sink ?? errors).write(UnsafeRawBufferPointer($0)) }
  }
}

extension Environment {
  /// The credentials in the environment, including a token in a variable with another purpose. Short values are not
  /// included, because they would match any text by chance. Values longer than ``longestCredential`` are never used.
  var secrets: [Secret] {
    EnvironmentVariable.allCases.compactMap { variable in
      guard let value = self[variable], (ExchangeRedactor.minimumLength...longestCredential).contains(value.utf8.count),
        // A user id may have the form of a token.
        variable.isSecret || (variable != .userID && SecretForms.looksSecret(value.utf8))
      else { return nil }
      return Secret(parsing: value)
    }
  }
}

extension Problem {
  /// The problem as stderr may show it. Masked before it is formatted, because escapes would hide a credential.
  package func redacted(in world: World) -> Problem {
    var problem = self
    problem.message = world.redacted(message)
    problem.reason = reason.map(world.redacted)
    problem.hint = hint?.mapped(world.redacted)
    problem.details = details.map {
      Detail(parameter: $0.parameter.map(world.redacted), message: $0.message.map(world.redacted))
    }
    return problem
  }
}
