import JSON
import PluginProtocol
package import World

/// What has to be known of a plugin to see whether a profile uses it, found in its manifest's bytes without reading all of
/// it: a list of connections asks this of every provider there is, and a manifest may describe a hundred options.
///
/// It only tells whom to look at closely. Nothing is run that ``Manifest`` has not taken.
package struct ManifestGlance: Sendable, Equatable {
  package var kind = ""
  package var capabilities: Set<String> = []
  package var needsCredentials = false

  /// Nil for what is no JSON object.
  package init?(_ bytes: [UInt8]) {
    let isRead = bytes.withUnsafeBytes { buffer in
      var scanner = JSONScanner(buffer)
      do throws(JSONError) {
        guard scanner.next == UInt8(ascii: "{") else { return false }
        while let key = try scanner.nextKey() {
          let name = scanner.slice(key)
          let value = scanner.slice(try scanner.skipValue())
          if name.elementsEqual("kind".utf8) {
            kind = Self.value(value)?.string ?? ""
          } else if name.elementsEqual("capabilities".utf8) {
            capabilities = Set(Self.value(value)?.array?.compactMap(\.string) ?? [])
          } else if name.elementsEqual("credentials".utf8) {
            needsCredentials = Self.value(value)?.array?.isEmpty == false
          }
        }
        return true
      } catch {
        return false
      }
    }
    guard isRead else { return nil }
  }

  /// Of the plugin in a folder; nil where there is none.
  package init?(inFolder folder: String, _ files: any Files) {
    let path = "\(folder)/\(Manifest.fileName)"
    guard (try? files.facts(path).kind) == .file,
      let bytes = try? files.read(path, limit: Manifest.sizeLimit)
    else { return nil }
    self.init(bytes)
  }

  private static func value(_ bytes: UnsafeRawBufferPointer) -> JSONValue? { try? JSONValue(parsing: Array(bytes)) }
}
