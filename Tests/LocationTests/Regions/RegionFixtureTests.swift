import Foundation
import JSON
import Location
import Testing

/// The connections from the tests of IFTTT's own SDKs, with the regions that those tests expect.
struct RegionFixtureTests {
  private static func connection(_ name: String, status: JSONValue? = nil) throws -> JSONValue {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../IFTTTTests/Fixtures")
    let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
    guard var object = try JSONValue(parsing: Array(data)).object else { return .null }
    if let status { object["user_status"] = status }
    return .object(object)
  }

  private static let chicago = "123 W North Ave Chicago IL 60647 United States"
  private static let market = "923 Market St, San Francisco, CA 94103, USA"

  @Test(arguments: [
    "ConnectSDK-iOS__main__SDKHostAppTests__fetch_connection_response",
    "ConnectSDK-iOS__0717127_2020-03-24__SDKTests__fetch_connection_response",
    "ConnectSDK-iOS__9abc187_2020-03-25__SDKTests__fetch_connection_response",
    "ConnectSDK-iOS__7f1f435_2020-03-30__SDKTests__fetch_connection_response",
  ])
  func readsEverySpellingOfTheTriggerID(name: String) throws {
    let (regions, problems) = RegionReading.regions(of: try Self.connection(name), id: "LMhuSZW9")
    // There is neither a type nor a feature trigger with that id, so the direction is unknown.
    #expect(
      regions == [
        Region(
          id: "somecoolidentifier", direction: .both, center: Coordinate(12.4567892, -98.5432112), radius: 123.456789,
          label: Self.chicago, connection: "LMhuSZW9", feature: "ab12345m8ef")
      ])
    #expect(problems.isEmpty)
  }

  @Test func findsALocationInTheSecondField() throws {
    let name = "ConnectSDK-iOS__main__SDKHostAppTests__fetch_multiple_feature_fields_connection_response"
    let (regions, problems) = RegionReading.regions(of: try Self.connection(name), id: "aMozvjdb")
    #expect(
      regions == [
        Region(
          id: "b0fe2ba5-ff2e-4c4b-b63a-8f65c7f90c48", direction: .entry,
          center: Coordinate(37.78338859999999, -122.408433), radius: 349.2418372528667, label: Self.market,
          connection: "aMozvjdb", feature: "b3a585f5-1427-40f5-9295-957cde1856dd")
      ])
    #expect(problems.isEmpty)
  }

  @Test func readsNumbersInStrings() throws {
    let name = "ConnectSDK-Android__main__connect-button__connection_enabled"
    let (regions, problems) = RegionReading.regions(of: try Self.connection(name), id: "aVxGRrtD")
    #expect(
      regions == [
        Region(
          id: "666", direction: .entry, center: Coordinate(37.78383800416815, -122.40843300000002),
          radius: 316.2010756871335, label: Self.market, connection: "aVxGRrtD",
          feature: "6888021f-47b0-4d3a-8058-bbf57e260173")
      ])
    #expect(problems.isEmpty)
  }

  @Test func aConnectionWithoutAUserHasNoRegions() throws {
    let name = "ConnectSDK-Android__main__connect-api__connection"
    #expect(RegionReading.regions(of: try Self.connection(name), id: "aVxGRrtD").regions.isEmpty)
    let enabled = try Self.connection(name, status: "enabled")
    #expect(RegionReading.regions(of: enabled, id: "aVxGRrtD").regions.map(\.id) == ["666"])
  }

  @Test func reportsRegionsWithoutIDs() throws {
    let name = "ConnectSDK-Android__67f6fba_2020-03-24__connect-api__connection"
    let connection = try Self.connection(name, status: "enabled")
    let (regions, problems) = RegionReading.regions(of: connection, id: "aVxGRrtD")
    #expect(regions.isEmpty)
    #expect(
      problems == [
        RegionError(
          connection: "aVxGRrtD", feature: "6888021f-47b0-4d3a-8058-bbf57e260173",
          reason: "the region around 37.78383800416815, -122.40843300000002 has no id, so events cannot refer to it")
      ])
  }

  @Test(arguments: [
    "ConnectSDK-Android__478963f_2018-12-18__ifttt-sdk-android__connection",
    "ConnectSDK-Android__8c8ecbd_v2.0__connect-button__connection",
    "ConnectSDK-Android__bffd6f8_2018-11-08__ifttt-sdk-android__connection",
    "ConnectSDK-Android__d207678_2019-01-30__ifttt-sdk-android__connection",
    "ConnectSDK-iOS__bab6608_2019-07-17__SDKTests__fetch_connection_response",
  ])
  func connectionsFromBeforeRegionsHaveNone(name: String) throws {
    let (regions, problems) = RegionReading.regions(of: try Self.connection(name, status: "enabled"), id: "x")
    #expect(regions.isEmpty && problems.isEmpty)
  }
}
