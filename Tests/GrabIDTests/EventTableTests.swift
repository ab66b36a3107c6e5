import Foundation
import PluginProtocol
import Testing
import Text

@testable import GrabID

/// The table of errors: complete, with the SDK's own numbers, and identical to the documentation.
@Suite struct EventTableTests {
  @Test func everyEventHasOneRow() {
    #expect(GrabEvent.rows.map(\.event).count == GrabEvent.allCases.count)
    #expect(Set(GrabEvent.rows.map(\.event)) == Set(GrabEvent.allCases))
    for row in GrabEvent.rows { #expect(!row.happened.isEmpty) }
  }

  /// Names that only a success or the user's own program can have.
  private static let elsewhere: Set<GrabCode.Name> = [.launchAppStoreLink, .partnerAppError]

  @Test func everyNameOfTheSDKIsUsed() {
    let used = GrabEvent.rows.compactMap { row -> GrabCode.Name? in
      switch row.grab {
      case .code(_, let name), .ofRequest(let name): name
      case nil: nil
      }
    }
    #expect(Set(used).union(Self.elsewhere) == Set(GrabCode.Name.allCases))
  }

  @Test func theNumbersMatchTheSDK() {
    let numbers: [GrabCode.Name: Int] = [
      .grabIdServiceFailed: 0, .discoveryServiceFailed: 1, .idTokenInfoServiceFailed: 2, .exchangeTokenServiceFailed: 3,
      .authorizationInitializationFailure: 4, .securityValidationFailed: 5, .logoutFailed: 6, .invalidIdToken: 7,
      .invalidNonce: 8, .invalidConfiguration: 9, .somethingWentWrong: 10, .network: 11, .invalidClientId: 12,
      .invalidScope: 13, .invalidRedirectUrl: 14, .invalidAuthorizationCode: 15, .invalidUrl: 16, .invalidPartnerId: 17,
      .unAuthorized: 18, .authorizationFailed: 19, .serviceUnavailable: 20, .serviceError: 21, .invalidAccessToken: 22,
      .invalidResponse: 23, .invalidServiceDiscoveryUrl: 24, .invalidAppBundle: 25, .invalidCustomProtocolUrl: 26,
      .failedTolaunchAppStoreLink: 27, .launchAppStoreLink: 28, .partnerAppError: 10_000,
    ]
    for name in GrabCode.Name.allCases { #expect(numbers[name] == name.rawValue, "\(name)") }
    #expect(
      GrabCode.Domain.allCases.map { "\($0)" } == [
        "serviceDiscovery", "loadConfiguration", "authorization", "exchangeToken", "getIdTokenInfo", "logout",
        "protectedResource", "customProtocolsService", "appStore",
      ])
  }

  @Test func errorsHaveJSONAndAReference() {
    let failure = GrabError(.stateMismatch, "m", reason: "r", hint: "h")
    #expect(
      failure.pluginError.value.description
        == #"{"code":-32000,"message":"m","data":{"code":"state_mismatch","reason":"r","hint":"h","extra":{"grab_code":{"domain":"exchangeToken","name":"securityValidationFailed","number":5}},"reference":"(GrabID exchangeToken/securityValidationFailed 5)"}}"#
    )
    #expect(GrabError(.redirectTimeout, "m").pluginError.extra == ["grab_code": .null])
    #expect(GrabError(.noConnection, "m", in: .logout).grab == GrabCode(.logout, .network))
    #expect(GrabError(.discoveryStatus, "m", status: 500).code == .serverError)
    #expect(GrabError(.discoveryStatus, "m", status: 404).code == .badResponse)
  }

  /// The table in the form of docs/grab.md.
  private static var table: String {
    GrabEvent.rows.map { row in
      let codes =
        row.codes.isEmpty ? "as the request failed" : row.codes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      let grab =
        switch row.grab {
        case .code(let domain, let name): "\(domain) / \(name) \(name.rawValue)"
        case .ofRequest(let name): "*of the request* / \(name) \(name.rawValue)"
        case nil: "–"
        }
      return "| \(row.happened) | \(codes) | \(grab) |"
    }.joined(separator: "\n")
  }

  @Test func theDocumentationHasTheSameTable() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/grab.md")
    let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    let rows = text.components(separatedBy: "\n").drop { $0 != "<!-- events -->" }.dropFirst(3)
      .prefix { $0.hasPrefix("|") }
    #expect(rows.joined(separator: "\n") == Self.table, "expected table: \n\(Self.table)")
  }
}
