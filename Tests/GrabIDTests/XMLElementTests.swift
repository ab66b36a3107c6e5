import Testing

@testable import GrabID

@Suite struct XMLElementTests {
  @Test func elementsAttributesAndTextAreParsed() throws {
    let text = """
      \u{feff}<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a SYSTEM "a.dtd"><!-- c -->
      <a x='1' n:y="&lt;&#233;&#x1F600;">o&amp;p<b/><![CDATA[<q>&]]><n:c>in<b z="2"></b></n:c>end</a><!-- d -->
      """
    let element = try XMLElement(parsing: Array(text.utf8))
    #expect(element.name == "a")
    #expect(element.attributes == ["x": "1", "n:y": "<é😀"])
    #expect(element.text == "o&p<q>&end")
    #expect(element.children.map(\.name) == ["b", "n:c"])
    #expect(element.all("b") == [XMLElement(name: "b"), XMLElement(name: "b", attributes: ["z": "2"])])
  }

  @Test func otherEncodingsAreReadAsDeclared() throws {
    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>caf".utf8) + [0xe9] + Array("</a>".utf8)
    #expect(try XMLElement(parsing: latin).text == "café")
    let wide = "<a>é😀</a>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try XMLElement(parsing: [0xff, 0xfe] + wide).text == "é😀")
  }

  @Test(arguments: [
    "", "a", "<a>", "<a></b>", "<a/><b/>", "<a/>rest", "<a x=1/>", "<a x='1' x='2'/>", "<a>&nbsp;</a>", "<a>\u{1}</a>",
    "<a><!-- </a>", "<a><![CDATA[ </a>",
  ])
  func malformedDocumentsAreRejected(_ text: String) {
    #expect(throws: GrabDocumentError.self) { try XMLElement(parsing: Array(text.utf8)) }
  }

  @Test func brokenCharactersAreRejected() {
    #expect(throws: GrabDocumentError.self) { try XMLElement(parsing: Array("<a>".utf8) + [0xff] + Array("</a>".utf8)) }
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>",
    "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY % b SYSTEM \"file:///etc/passwd\">%b;]><a/>",
  ])
  func entityDeclarationsAreRejected(_ text: String) {
    #expect(throws: GrabDocumentError("it declares an entity, which is not allowed")) {
      try XMLElement(parsing: Array(text.utf8))
    }
  }

  @Test func excessiveDepthIsRejected() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    #expect(try XMLElement(parsing: nested(64)).all("a").count == 63)
    #expect(throws: GrabDocumentError("it is nested too deeply")) { try XMLElement(parsing: nested(65)) }
    #expect(throws: GrabDocumentError("it is nested too deeply")) { try XMLElement(parsing: nested(200_000)) }
  }
}
