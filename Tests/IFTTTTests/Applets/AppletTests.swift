import Foundation
import IFTTT
import JSON
import Testing

struct AppletTests {
  @Test func parsesFixture() throws {
    let applet = try applet(String(decoding: fixture(), as: UTF8.self))
    #expect(applet.id.description == "aVxGRrtD")
    #expect(applet.name == "Tweet your Instagrams as native photos on Twitter")
    #expect(applet.status == .unknown)
    #expect(applet.statusOnWire == nil)
    #expect(applet.primaryService?.id == "instagram")
    #expect(applet.services.map(\.id) == ["twitter", "instagram"])
    #expect(applet.enabledCount == 644_429)
    #expect(applet.publishedAt == "2017-02-16T11:10:43-08:00")
    #expect(applet.lastRunAt == nil)
    #expect(applet.embeddedURL == "https://ifttt.com/embed/instagram/applets/aVxGRrtD")
    #expect(applet.skipped.isEmpty)
  }

  @Test func documentIsExactByteForByte() throws {
    let applet = try applet(
      #"""
      {"services":[{"service_id":"lampost","service_name":"Lampost Lights","is_primary":true,"color_icon_url":"c",
       "monochrome_icon_url":"m","brand_color":"#3a7d44","url":"s"}],"embedded_url":"e","url":"u",
       "last_run_at":"yesterday","user_status":"enabled","enabled_count":1204,
       "published_at":"2017-09-12T08:15:00+01:00","description":"D","name":"Lamps","id":"mB3xWq7T","new":1}
      """#)
    let expected = [
      #"{"id":"mB3xWq7T","name":"Lamps","description":"D","status":"enabled","published_at":"2017-09-12T07:15:00Z","#,
      #""enabled_count":1204,"last_run_at":"yesterday","url":"u","embedded_url":"e","primary_service":"lampost","#,
      #""services":[{"id":"lampost","name":"Lampost Lights","short_name":"Lampost Lights","is_primary":true,"#,
      ##""brand_color":"#3a7d44","icon_url":"c","url":"s"}]"##,
    ].joined()
    #expect(String(decoding: applet.document(), as: UTF8.self) == expected)
  }

  @Test func onlyIDIsRequired() throws {
    let expected = [
      #"{"id":"7","name":"7","description":null,"status":"unknown","published_at":null,"enabled_count":null,"#,
      #""last_run_at":null,"url":null,"embedded_url":null,"primary_service":null,"services":[]"#,
    ].joined()
    #expect(String(decoding: try applet(#"{"id":7}"#).document(), as: UTF8.self) == expected)
    for text in ["{}", #"{"id":"a/b"}"#, #"{"id":null}"#] {
      let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
      #expect(Applet(reading: object) == nil)
    }
  }

  @Test func lastPrimaryServiceIsTheOwner() throws {
    let services =
      #"[{"service_id":"a","is_primary":true},{"service_id":"b","is_primary":"true"},{"service_id":"c"},9]"#
    let applet = try applet(#"{"id":"x","services":\#(services),"user_status":"paused"}"#)
    #expect(applet.primaryService?.id == "b")
    #expect(applet.statusOnWire == "paused")
    #expect(applet.skipped.paths == ["services[3]"])
  }

  private func applet(_ text: String) throws -> Applet {
    let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
    return try #require(Applet(reading: object))
  }
}

/// The Applet fixture from IFTTT's Android SDK.
func fixture() throws -> [UInt8] {
  let name = "ConnectSDK-Android__4bc4da4_2018-08-31__ifttt-sdk-android-v1__applet"
  let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
  return Array(try Data(contentsOf: url))
}
