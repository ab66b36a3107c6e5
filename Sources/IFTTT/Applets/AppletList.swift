package import HTTP
import JSON

/// The Applets that could be parsed, in the order received, and the elements that were skipped.
package struct AppletList: Sendable {
  package let applets: [Applet]
  package let dropped: SkippedElements
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable if the response contains no list.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard object.text("type") == "list" || object["data"]?.array != nil else {
      throw response.unreadable("it is not a list of Applets")
    }
    var dropped = SkippedElements()
    applets = object.members("data", dropped: &dropped) { member, inner in
      guard let applet = Applet(reading: member) else { return nil }
      inner = applet.dropped
      return applet
    }
    self.dropped = dropped
    raw = response.body
  }
}

/// A parsed Applet, and the bytes it was parsed from.
package struct FetchedApplet: Sendable {
  package let applet: Applet
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable if the id is missing or differs from the requested one. Another Applet would
  ///   be shown and stored under the wrong id.
  package init(_ response: Response, for id: AppletID) throws(APIError) {
    guard let applet = Applet(reading: try response.object()) else {
      throw response.unreadable("it is not an Applet")
    }
    guard applet.id == id else { throw response.unreadable("it is not the requested Applet") }
    (self.applet, raw) = (applet, response.body)
  }

  /// The Applet from the response to a change; nil if a 2xx does not contain the changed Applet.
  package static func afterChange(_ response: Response, of id: AppletID) throws(APIError) -> FetchedApplet? {
    _ = try response.accepted()
    do throws(APIError) { return try FetchedApplet(response, for: id) } catch { return nil }
  }
}
