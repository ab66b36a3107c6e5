import HTTP
import IFTTT
import Testing
import Text

/// The two URLs, byte for byte (docs/api/activation.md §2 to §4).
struct ActivationURLTests {
  let base: WebURL
  let id: ConnectionID
  let client = ClientName(version: "1.0.0", platform: "ios", anonymousID: "3B1C0E52-7A44-4D19-9C0E-5D2F8A6B7E10")

  init() throws {
    base = try WebURL(parsing: "https://ifttt.com")
    id = try #require(ConnectionID(parsing: "Kd7Rn2Qx"))
  }

  @Test func sdkURLOfANewUser() throws {
    var address = try sdk("http://127.0.0.1:47823/ifttt/return", .email(email("kai+lamps@mail.test"), isNew: true))
    (address.locale, address.skipsConfiguration) = ("fr-CA", true)
    address.code = Secret(parsing: "lamp+auth/9=?&z")
    #expect(
      address.url(below: base).wire == "https://ifttt.com/access/api/Kd7Rn2Qx"
        + "?sdk_return_to=http%3A%2F%2F127.0.0.1%3A47823%2Fifttt%2Freturn&sdk_version=1.0.0&sdk_platform=ios"
        + "&sdk_anonymous_id=3B1C0E52-7A44-4D19-9C0E-5D2F8A6B7E10&locale=fr-CA&skip_config=true"
        + "&email=kai%2Blamps%40mail.test&sdk_create_account=true&code=lamp%2Bauth%2F9%3D%3F%26z")
  }

  @Test func sdkURLOfAReturningUser() throws {
    var address = try sdk("lampost://done?a=1&b=2", .username("kai lamps"))
    address.inviteCode = Secret(parsing: "21790-7d53f")
    address.locale = "en-US"
    #expect(
      address.url(below: base).wire == "https://ifttt.com/access/api/Kd7Rn2Qx"
        + "?sdk_return_to=lampost%3A%2F%2Fdone%3Fa%3D1%26b%3D2&sdk_version=1.0.0&sdk_platform=ios"
        + "&sdk_anonymous_id=3B1C0E52-7A44-4D19-9C0E-5D2F8A6B7E10&invite_code=21790-7d53f&locale=en-US"
        + "&username=kai%20lamps")
  }

  @Test func connectURLHasOnlyDocumentedItems() throws {
    var address = try ActivationURL(
      of: id, at: .connect, returningTo: RedirectURI(parsing: "https://lampost.test/ifttt/return"),
      user: .email(email("kai+lamps@mail.test"), isNew: true), client: client)
    (address.locale, address.skipsConfiguration, address.inviteCode) = ("fr-CA", true, Secret(parsing: "21790"))
    address.code = Secret(parsing: "pac_7Yt-2Q")
    #expect(
      address.url(below: base).wire == "https://ifttt.com/connect/Kd7Rn2Qx?email=kai%2Blamps%40mail.test"
        + "&redirect_uri=https%3A%2F%2Flampost.test%2Fifttt%2Freturn&code=pac_7Yt-2Q&skip_config=true")
    (address.returnAddress, address.code, address.skipsConfiguration) = (nil, nil, false)
    #expect(
      address.url(below: base).wire == "https://ifttt.com/connect/Kd7Rn2Qx?email=kai%2Blamps%40mail.test")
  }

  @Test(arguments: [
    ("kai+lamps@mail.test", "kai%2Blamps%40mail.test"), ("zoë@mail.test", "zo%C3%AB%40mail.test"),
    ("k&i=1@mail.test", "k%26i%3D1%40mail.test"), ("k%40i.x@mail.test", "k%2540i.x%40mail.test"),
  ])
  func reservedBytesArePercentEncoded(address: String, escaped: String) throws {
    let url = try sdk("a://b", .email(email(address), isNew: false)).url(below: base).wire
    #expect(url.hasSuffix("&email=\(escaped)"))
  }

  @Test func codeIsMaskedWhenShown() throws {
    var address = try sdk("a://b", .username("kai"))
    address.code = Secret(parsing: "lamp+auth/9=?&z")
    let shown = address.url(below: base).redacted
    #expect(shown.hasSuffix("&username=kai&code=…"))
    #expect(!shown.contains("auth"))
  }

  private func sdk(_ address: String, _ user: ConnectingUser) throws -> ActivationURL {
    ActivationURL(
      of: id, at: .sdk, returningTo: try RedirectURI(parsing: address), user: user, client: client)
  }

  private func email(_ text: String) throws -> EmailAddress { try #require(EmailAddress(parsing: text)) }
}
