import Foundation
import IFTTT
import JSON
import Testing

/// Comparison with the texts of IFTTT's SDK for iOS: the same languages and arguments, and nothing copied.
@Suite struct SDKTableTests {
  static func tables() throws -> [String: JSONObject] {
    let name = "ConnectSDK-iOS__main__localizations_converted_from_strings"
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    let json = try JSONValue(parsing: Array(Data(contentsOf: url)))
    let members = try #require(json.object).members.compactMap { member in
      member.value.object.map { (member.key, $0) }
    }
    return Dictionary(uniqueKeysWithValues: members)
  }

  static let counterparts: [(key: String, sample: Phrase)] = [
    ("button.state.loading", .loading), ("button.footer.loading.failed.prefix", .loadingFailed),
    ("button.footer.loading.failed.postfix", .retry), ("button.state.connect", .connect(service: "%@")),
    ("button.email.placeholder", .emailPlaceholder), ("button.footer.email.invalid", .invalidEmail),
    ("button.state.verifying", .verifying), ("button.state.creating_account", .creatingAccount),
    ("button.footer.accountCreation", .newAccount(email: "%@")), ("button.state.sign_in", .signingIn(service: "%@")),
    ("button.state.connecting", .connecting), ("button.state.connected", .connected),
    ("button.state.disconnecting", .disconnecting), ("button.state.disconnected", .disconnected),
    ("button.footer.email.prefix", .securedWith), ("button.footer.email.postfix", .learnMore),
    ("about.title_full", .connects(first: "%@", second: "%@")), ("about.connect", .promiseOfFeatures),
    ("about.control", .promiseOfControl), ("about.security", .promiseOfProtection),
    ("about.manage", .promiseOfFreedom), ("about.connection-deep-link", .manage),
    ("about.legal.full", .acceptTerms), ("about.legal.link", .terms), ("button.footer.works_with", .worksWith),
  ]

  @Test func languagesMatchSDK() throws {
    #expect(try Set(Self.tables().keys).subtracting(["(base)"]) == Set(Language.allCases.map(\.tag)))
  }

  @Test(arguments: Language.allCases) func placeholderCountsMatchSDK(language: Language) throws {
    let table = try #require(try Self.tables()[language.tag])
    for (key, phrase) in Self.counterparts {
      let theirs = try #require(table[key]?.string)
      #expect(count(in: theirs) == count(in: language.text(phrase)), "\(key)")
    }
  }

  /// A word such as "connected" has one translation. A sentence has many, so an identical one would be a copy.
  @Test(arguments: Language.allCases) func noSentenceIsCopied(language: Language) throws {
    let table = try #require(try Self.tables()[language.tag])
    for (key, phrase) in Self.counterparts {
      let theirs = try #require(table[key]?.string)
      let ours = language.text(phrase)
      if theirs.split(separator: " ").count > 4 || (theirs.utf8.count > 45 && !theirs.contains(" ")) {
        #expect(ours.lowercased() != theirs.lowercased(), "\(key)")
      }
    }
  }

  private func count(in text: String) -> Int {
    text.split(separator: "%@", omittingEmptySubsequences: false).count - 1
  }
}
