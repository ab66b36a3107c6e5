package import HTTP
package import Text

/// The identity of an IFTTT client, which it may send with every request: its version, its platform, and a random id
/// of the installation (reference: connect-api.md, section 4).
///
/// No endpoint needs it (C27), so it is sent only while the user has usage events enabled.
package struct SDKIdentity: Sendable, Equatable {
  package let version: String
  /// A secret although it grants no access, so that it is masked in traces and not sent to another host on a
  /// redirect.
  package let anonymousID: Secret

  package init(version: String, anonymousID: Secret) {
    (self.version, self.anonymousID) = (version, anonymousID)
  }

  /// The platform of this program, wherever it is sent.
  package static var platform: String { APIAssumptions.platform }

  package var headers: [Header] {
    [
      Header("IFTTT-SDK-Version", version), Header("IFTTT-SDK-Platform", Self.platform),
      Header("IFTTT-SDK-Anonymous-Id", secret: anonymousID),
    ]
  }
}
