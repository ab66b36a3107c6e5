import HTTP
import Testing

/// Resolution of `Location` values, with the examples of RFC 3986 §5.4 that stay on the web.
@Suite struct ReferenceTests {
  @Test(arguments: [
    ("g", "https://a/b/c/g"), ("./g", "https://a/b/c/g"), ("g/", "https://a/b/c/g/"), ("/g", "https://a/g"),
    ("//g", "https://g"), ("?y", "https://a/b/c/d;p?y"), ("g?y", "https://a/b/c/g?y"), ("#s", "https://a/b/c/d;p?q"),
    ("g#s", "https://a/b/c/g"), ("g?y#s", "https://a/b/c/g?y"), (";x", "https://a/b/c/;x"),
    ("g;x", "https://a/b/c/g;x"),
    ("", "https://a/b/c/d;p?q"), (".", "https://a/b/c/"), ("./", "https://a/b/c/"), ("..", "https://a/b/"),
    ("../", "https://a/b/"), ("../g", "https://a/b/g"), ("../..", "https://a/"), ("../../", "https://a/"),
    ("../../g", "https://a/g"), ("../../../g", "https://a/g"), ("/./g", "https://a/g"), ("/../g", "https://a/g"),
    ("g.", "https://a/b/c/g."), (".g", "https://a/b/c/.g"), ("g..", "https://a/b/c/g.."), ("./../g", "https://a/b/g"),
    ("./g/.", "https://a/b/c/g/"), ("g/../h", "https://a/b/c/h"), ("g;x=1/../y", "https://a/b/c/y"),
    ("g?y/../x", "https://a/b/c/g?y/../x"), ("%2e%2E/g", "https://a/b/g"),
    ("https://b.example:8443/x/../y?z", "https://b.example:8443/y?z"), ("HTTPS://B.example", "https://b.example"),
    ("//b.example/x?y", "https://b.example/x?y"), ("http://127.0.0.1/", "http://127.0.0.1/"), ("/x:y", "https://a/x:y"),
  ])
  func resolvesReference(_ reference: String, _ expected: String) throws {
    #expect(try WebURL(parsing: "https://a/b/c/d;p?q").resolving(reference).wire == expected)
  }

  @Test(arguments: [("x", "https://a/x"), ("?x", "https://a?x"), ("/", "https://a/")])
  func resolvesReferenceAgainstBareHost(_ reference: String, _ expected: String) throws {
    #expect(try WebURL(parsing: "https://a").resolving(reference).wire == expected)
  }

  @Test(arguments: [
    "http://a/", "//user@b/", "mailto:a@b", "javascript:alert(1)", "https:///x", "///x", "https:/x", "/a b", "/é",
    "/\\evil.example", "\\\\evil.example", "/a\r\nSet-Cookie:x", "https://127.1/", "data:text/html,x", "g:h",
  ])
  func rejectsUnsafeReference(_ reference: String) throws {
    let base = try WebURL(parsing: "https://a/b/c/d;p?q")
    #expect(throws: WebURLError.self) { try base.resolving(reference) }
  }
}
