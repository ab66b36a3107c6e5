package import CommandLine
package import Text

/// The key of the Webhooks service, taken from an address if necessary.
package struct WebhooksKey {
  let secret: Secret
  let isFromAddress: Bool

  /// Nil if the text is neither a key nor an address with one. No key has a slash or another separator.
  init?(of given: Secret) {
    let bytes = Array(given.revealed.utf8)
    if let key = WebhookAddress.firstKey(in: bytes) {
      let text = String(decoding: bytes[key], as: UTF8.self)
      guard let secret = Percent.decode(text, plus: .literal).flatMap(Secret.init(parsing:)) else { return nil }
      (self.secret, isFromAddress) = (secret, true)
    } else {
      guard bytes.allSatisfy(\.isUnreserved) else { return nil }
      (secret, isFromAddress) = (given, false)
    }
  }

  package static let whereToFind = CredentialName.webhooksKey.rejectionHint

  /// The reason an argument that contains a key is rejected.
  /// - Parameter advice: what to pass instead.
  package static func inArgument(instead advice: String) -> ValueError {
    ValueError("it contains a webhooks key, which must not be an argument; \(advice)")
  }

  /// Whether an argument is, or contains, an address with a key.
  package static func isIn(_ argument: String, hosts: WebhookAddress.Hosts = .any) -> Bool {
    WebhookAddress.firstKey(in: Array(argument.utf8), hosts: hosts) != nil
  }
}

extension Flag {
  /// The file with the key of the Webhooks service.
  package static func webhooksKeyFile(
    into path: @autoclosure @escaping OptionKeyPath<Options, String?>, help: String
  ) -> Flag {
    .value("webhooks-key-file", .fileWithoutKey, into: path(), help: help)
  }
}

extension ValueKind<String> {
  /// A file whose name is not an address with a webhooks key.
  package static var fileWithoutKey: ValueKind {
    ValueKind(ValueKind.file.schema) { (text: String) throws(ValueError) in
      // Without a host, `/use/KEY` may also be a file on this machine.
      if WebhooksKey.isIn(text, hosts: text.hasPrefix("/") ? .ifttt : .any) {
        throw WebhooksKey.inArgument(instead: "put the key in a file, and pass the file's name")
      }
      return try ValueKind.file.parse(text)
    }
  }
}
