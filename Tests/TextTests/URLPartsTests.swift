import Testing
import Text

/// The split of a URL at its delimiters (RFC 3986).
@Suite struct URLPartsTests {
  private typealias Row = (
    text: String, scheme: String?, authority: String?, path: String, query: String?, fragment: String?
  )

  private static let rows: [Row] = [
    ("https://a.test/b?c#d", "https", "a.test", "/b", "c", "d"),
    ("HTTPS://A.test", "https", "A.test", "", nil, nil),
    ("http://a.test?c/d?e", "http", "a.test", "", "c/d?e", nil),
    ("http://a.test#c?d#e", "http", "a.test", "", nil, "c?d#e"),
    ("http:///b", "http", "", "/b", nil, nil),
    ("app:b/c", "app", nil, "b/c", nil, nil),
    ("app:", "app", nil, "", nil, nil),
    ("a+b-c.1:?", "a+b-c.1", nil, "", "", nil),
    ("//a.test/b", nil, "a.test", "/b", nil, nil),
    ("/b//c", nil, nil, "/b//c", nil, nil),
    ("?c", nil, nil, "", "c", nil),
    ("#d", nil, nil, "", nil, "d"),
    ("", nil, nil, "", nil, nil),
    ("1a://b", nil, nil, "1a://b", nil, nil),
    ("a_b://c", nil, nil, "a_b://c", nil, nil),
    ("://b", nil, nil, "://b", nil, nil),
    ("é://b", nil, nil, "é://b", nil, nil),
    ("a/b:c", nil, nil, "a/b:c", nil, nil),
    ("?a:b", nil, nil, "", "a:b", nil),
  ]

  @Test(arguments: rows.indices)
  func splitsAtTheFirstDelimiters(_ index: Int) {
    let row = Self.rows[index]
    let parts = URLParts(row.text)
    #expect(parts.scheme == row.scheme && parts.path == row.path, "\(row.text)")
    #expect(parts.authority.map(String.init) == row.authority, "\(row.text)")
    #expect(parts.query.map(String.init) == row.query, "\(row.text)")
    #expect(parts.fragment.map(String.init) == row.fragment, "\(row.text)")
  }

  @Test(
    arguments: [
      ("a.test", nil, "a.test", nil), ("a.test:80", nil, "a.test", "80"), ("a.test:", nil, "a.test", ""),
      ("u:p@a.test:80", "u:p", "a.test", "80"), ("u@v@a", "u@v", "a", nil), ("@a", "", "a", nil),
      ("[::1]", nil, "[::1]", nil), ("[::1]:80", nil, "[::1]", "80"), ("[::1]x:80", nil, "[::1]x", "80"),
      ("a:80:90", nil, "a", "80:90"), ("", nil, "", nil), (":80", nil, "", "80"), ("[::1", nil, "[", ":1"),
    ] as [(String, String?, String, String?)])
  func splitsAnAuthority(_ text: String, _ user: String?, _ host: String, _ port: String?) {
    let authority = URLParts.Authority(text[...])
    #expect(authority.user.map(String.init) == user && authority.host == host, "\(text)")
    #expect(authority.port.map(String.init) == port, "\(text)")
  }
}
