import Testing

@testable import GrabID

/// Over a hundred forged tokens, each with the check that must reject it, compared with the verdict of joserfc.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)))
struct OracleTests {
  /// The names of the tokens by the check that must reject them; those under nil must be accepted.
  private static let expected: [(check: IDTokenError.Check?, names: [String])] = [
    (
      nil,
      [
        "good", "good ES256", "good PS256", "good EdDSA", "good at_hash", "typ in lower case", "no typ",
        "no kid, one key", "no kid, several keys", "key without kid", "key_ops with verify", "among keys of no use",
        "jku", "own key in the header, ours signed", "16 levels", "15 KiB", "aud list of one", "aud two with azp",
        "azp ours", "exp -59", "exp +0", "exp +60", "nbf -60", "nbf +0", "nbf +60", "iat -600", "iat +0", "iat +60",
        "exp fraction", "sub of 255",
      ]
    ),
    (
      .algorithm,
      [
        "none without signature", "none with signature", "HS256 with the PEM", "HS256 with the DER",
        "HS256 with the modulus", "algorithm not allowed",
      ]
    ),
    (
      .signature,
      [
        "PS256 under an RS256 key", "RS256 under an EC key", "payload changed", "signature cut", "signature empty",
        "another key under this name", "unknown kid", "kid of another key", "key for encryption",
        "key_ops without verify", "RSA 1024", "private key in the set", "empty set", "own key in the header",
      ]
    ),
    (.header, ["kid is a number", "crit", "zip", "typ at+jwt"]),
    (
      .json,
      [
        "two alg", "two aud, ours last", "two aud, ours first", "two names inside", "byte order mark",
        "claims are an array", "17 levels", "not UTF-8",
      ]
    ),
    (.encoding, ["padding", "unused bits", "line end", "four parts", "five parts", "two parts", "17 KiB"]),
    (.issuer, ["iss of another", "iss with a slash", "iss in capitals", "iss missing", "iss is a list"]),
    (
      .audience,
      [
        "aud of another", "aud missing", "aud empty list", "aud list of another", "aud list of a text and a number",
        "aud number", "aud two, one not trusted",
      ]
    ),
    (.authorizedParty, ["aud two without azp", "azp of another"]),
    (.expiry, ["exp -61", "exp -60", "exp missing", "exp text", "exp huge", "exp 2^53", "exp negative"]),
    (.notBefore, ["nbf +61", "nbf text"]),
    (.issuedAt, ["iat -601", "iat +61", "iat missing"]),
    (.nonce, ["nonce missing", "nonce of another", "nonce number"]),
    (.subject, ["sub missing", "sub empty", "sub of 256", "sub not ASCII", "sub number"]),
    (.accessTokenHash, ["at_hash of another"]),
    (.codeHash, ["c_hash of another"]),
    (.authenticationTime, ["auth_time text"]),
  ]

  /// The only tokens that joserfc rejects and GrabID accepts, and the reasons.
  private static let laxer = [
    "no kid, several keys": "each fitting key is tried, unless --strict-kid",
    "among keys of no use": "a key that is not understood is passed over (RFC 7517 §5)",
    "own key in the header, ours signed": "joserfc refuses long headers; the key in this one is not looked at",
  ]

  /// The tokens that joserfc accepts and GrabID rejects, and the reasons.
  private static let stricter = [
    "RSA 1024": "2048 bits at least (RFC 7518 §3.3)", "private key in the set": "whoever read it can sign",
    "typ at+jwt": "an access token is no ID token", "two alg": "two readers would see two tokens",
    "two aud, ours last": "two readers would see two tokens", "two names inside": "two readers would see two tokens",
    "byte order mark": "RFC 8259 §8.1", "17 levels": "no claim is so deep", "17 KiB": "no token is so long",
    "aud two without azp": "Core §3.1.3.7", "aud two, one not trusted": "Core §3.1.3.7",
    "azp of another": "Core §3.1.3.7", "iat -601": "not of this sign-in", "iat missing": "Core §2",
    "exp 2^53": "not a number that all readers have exactly", "sub of 256": "Core §2", "sub not ASCII": "Core §2",
    "at_hash of another": "Core §3.1.3.6", "c_hash of another": "Core §3.3.2.11", "auth_time text": "Core §2",
  ]

  @Test func everyTokenFailsTheCheckItWasForgedFor() throws {
    let tokens = try ForgedToken.all.get()
    #expect(tokens.map(\.name).sorted() == Self.expected.flatMap(\.names).sorted())
    for token in tokens {
      let expected = Self.expected.first { $0.names.contains(token.name) }?.check
      let verdict = try token.verdict()
      #expect(verdict == expected, "\(token.name)")
    }
  }

  @Test func joserfcAgreesExceptForTheListedTokens() throws {
    for token in try ForgedToken.all.get() {
      let accepted = try token.verdict() == nil
      let isListed = (accepted ? Self.laxer : Self.stricter)[token.name] != nil
      #expect((accepted != token.joserfcAccepts) == isListed, "\(token.name): joserfc \(token.joserfcAccepts)")
    }
  }

  @Test func strictKeyIDRejectsAmbiguousTokens() throws {
    let token = try #require(try ForgedToken.all.get().first { $0.name == "no kid, several keys" })
    #expect(try token.verdict(strictKeyID: true) == .signature)
    let alone = try #require(try ForgedToken.all.get().first { $0.name == "no kid, one key" })
    #expect(try alone.verdict(strictKeyID: true) == nil)
  }
}
