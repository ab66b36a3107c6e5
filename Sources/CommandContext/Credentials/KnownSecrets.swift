import EnvironmentVariables
import HTTP
import Secrets
import World

extension CredentialAccess {
  /// The credentials in the environment. A short value would match any text by chance, and a value longer than
  /// ``longestCredential`` is never used.
  var givenSecrets: [Secret] {
    EnvironmentVariable.allCases.filter(\.isSecret).compactMap { world.environment[$0].flatMap(Secret.init(parsing:)) }
      .filter { (ExchangeRedactor.shortest...longestCredential).contains($0.revealed.utf8.count) }
  }
}
