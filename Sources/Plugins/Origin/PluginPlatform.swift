/// The platform that a plugin's archive is for, such as `linux-x86_64`; `any` for every platform.
package struct PluginPlatform: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Parses a name; nil unless it consists of at most 32 lowercase letters, digits, hyphens and underscores.
  package init?(parsing text: String) {
    guard !text.isEmpty, text.utf8.count <= 32,
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
      })
    else { return nil }
    description = text
  }

  private init(known text: String) { description = text }

  package static let any = PluginPlatform(known: "any")

  /// The platforms with a name of their own.
  package static let known = ["linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-arm64"].map(Self.init(known:))

  /// The platform of this program.
  package static let current: PluginPlatform = {
    #if os(macOS)
      let system = "macos"
    #else
      let system = "linux"
    #endif
    #if arch(arm64)
      return PluginPlatform(known: system == "macos" ? "macos-arm64" : "\(system)-aarch64")
    #else
      return PluginPlatform(known: "\(system)-x86_64")
    #endif
  }()
}
