import CommandLine
import Session

extension ValueKind<String> {
  /// The name of an index that was added, or is added now.
  static var pluginIndexName: ValueKind {
    .parsed(
      "NAME", completion: .dynamic(CompletionCandidates.pluginIndex.rawValue),
      expected: "at most 32 lowercase letters, digits and hyphens"
    ) { text in
      let isName =
        !text.isEmpty && text.utf8.count <= 32 && text.utf8.first != UInt8(ascii: "-")
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
          default: byte == UInt8(ascii: "-")
          }
        }
      return isName ? text : nil
    }
  }
}
