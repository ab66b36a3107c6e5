import PluginProtocol
import Plugins

/// Keys, signatures and references to plugins mean the same when they are written and read again, and name nothing that
/// Git or ssh-keygen would misread.
enum OriginProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    keyProblem(in: bytes) ?? referenceProblem(in: String(decoding: bytes, as: UTF8.self))
  }

  private static func keyProblem(in bytes: [UInt8]) -> String? {
    for key in [try? SigningKey(publicKeyFile: bytes), (try? SignatureFile(parsing: bytes))?.key].compactMap(\.self) {
      guard (try? SigningKey(publicKeyFile: Array(key.text.utf8))) == key else { return "a key that changes" }
      guard key.fingerprint.utf8.count == 50 else { return "a fingerprint of another length" }
      // It becomes a line of the file of allowed signers.
      guard !key.text.hasControls(), key.text.split(separator: " ").count == 2 else { return "a key of several words" }
    }
    return nil
  }

  private static func referenceProblem(in text: String) -> String? {
    guard case .git(let git)? = try? PluginReference(parsing: text, exists: { _ in false }) else { return nil }
    guard !git.repository.hasPrefix("-"), !git.repository.hasControls() else {
      return "an argument that git would misread"
    }
    guard let tag = git.tag else { return nil }
    guard GitReference.isTag(tag) else { return "a tag that is not one" }
    return GitReference.text(of: git.repository, at: tag) == text ? nil : "a reference that changes"
  }
}
