import PluginProtocol
import Testing

@Suite struct PluginNameTests {
  @Test(arguments: ["a", "grab", "b2-c", String(repeating: "a", count: 32)])
  func acceptsValidNames(text: String) { #expect(PluginName(parsing: text)?.description == text) }

  @Test(arguments: ["", "2b", "-a", "Grab", "gräb", "a b", "a/b", "a\n", String(repeating: "a", count: 33)])
  func rejectsInvalidNames(text: String) { #expect(PluginName(parsing: text) == nil) }
}
