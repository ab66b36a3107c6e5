package import API
package import HTTP
import JSON

/// The Applets that could be read, in the order received, and what could not be.
package struct AppletList: Sendable {
  package let applets: [Applet]
  package let dropped: SkippedElements
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable where there is no list in it.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard object.text("type") == "list" || object["data"]?.array != nil else {
      throw response.unreadable("it is no list of Applets")
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

/// An Applet as read, and the bytes it was read from.
package struct FetchedApplet: Sendable {
  package let applet: Applet
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable where there is no usable id in it, or another than the one asked for, which would
  ///   be shown and kept under a wrong id.
  package init(_ response: Response, for id: AppletID) throws(APIError) {
    guard let applet = Applet(reading: try response.object()) else {
      throw response.unreadable("it is no Applet")
    }
    guard applet.id == id else { throw response.unreadable("it is another Applet than the one asked for") }
    (self.applet, raw) = (applet, response.body)
  }

  /// The answer to a change: nil where a 2xx does not hold the Applet that was changed.
  package static func afterChange(_ response: Response, of id: AppletID) throws(APIError) -> FetchedApplet? {
    _ = try response.accepted()
    do throws(APIError) { return try FetchedApplet(response, for: id) } catch { return nil }
  }
}
