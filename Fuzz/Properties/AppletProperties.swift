import HTTP
import IFTTT
import JSON

/// Applets of the older API: they are read leniently, and their output is JSON with a fixed set of keys.
enum AppletProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let response = Response(status: 200, body: bytes)
    if let list = try? AppletList(response) {
      guard let again = try? AppletList(response), again.applets == list.applets else {
        return "the same bytes produce different results"
      }
      if let problem = list.applets.lazy.compactMap(problem(of:)).first { return problem }
    }
    guard let object = try? JSONValue(parsing: bytes).object, let applet = Applet(reading: object) else { return nil }
    return problem(of: applet)
  }

  private static func problem(of applet: Applet) -> String? {
    let document = applet.document()
    guard let read = try? JSONValue(parsing: document + Array("}".utf8)).object else {
      return "the document is not JSON"
    }
    let keys = read.members.map(\.key)
    guard keys == Self.keys else { return "the document's keys are \(keys)" }
    guard read["id"]?.string == applet.id.description else { return "the document has another id" }
    return nil
  }

  private static let keys = [
    "id", "name", "description", "status", "published_at", "enabled_count", "last_run_at", "url", "embedded_url",
    "primary_service", "services",
  ]
}
