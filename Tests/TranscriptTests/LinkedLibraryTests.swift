import Foundation
import Support
import Testing

@Suite struct LinkedLibraryTests {
  /// One call of the standard library's search for text links its regular-expression engine, which is 1.2 MB. A
  /// release has no symbols, so this test checks the debug build.
  @Test func theProgramUsesNoRegularExpressions() throws {
    let program = try Data(contentsOf: URL(fileURLWithPath: BuiltProduct.path("ifttt")), options: .alwaysMapped)
    #expect(program.range(of: Data("17_StringProcessing".utf8)) == nil, "search text with 'includes'")
  }
}
