import Foundation
import IFTTT
import JSON
import Testing

/// A connection fixture from IFTTT's SDKs.
enum Fixture: String, CaseIterable, CustomTestStringConvertible {
  case november2018 = "ConnectSDK-Android__bffd6f8_2018-11-08__ifttt-sdk-android__connection"
  case december2018 = "ConnectSDK-Android__478963f_2018-12-18__ifttt-sdk-android__connection"
  case january2019 = "ConnectSDK-Android__d207678_2019-01-30__ifttt-sdk-android__connection"
  case android2 = "ConnectSDK-Android__8c8ecbd_v2.0__connect-button__connection"
  case july2019 = "ConnectSDK-iOS__bab6608_2019-07-17__SDKTests__fetch_connection_response"
  case androidMarch2020 = "ConnectSDK-Android__67f6fba_2020-03-24__connect-api__connection"
  case march24 = "ConnectSDK-iOS__0717127_2020-03-24__SDKTests__fetch_connection_response"
  case march25 = "ConnectSDK-iOS__9abc187_2020-03-25__SDKTests__fetch_connection_response"
  case march30 = "ConnectSDK-iOS__7f1f435_2020-03-30__SDKTests__fetch_connection_response"
  case ios = "ConnectSDK-iOS__main__SDKHostAppTests__fetch_connection_response"
  case iosSeveralFields = "ConnectSDK-iOS__main__SDKHostAppTests__fetch_multiple_feature_fields_connection_response"
  case android = "ConnectSDK-Android__main__connect-api__connection"
  case androidEnabled = "ConnectSDK-Android__main__connect-button__connection_enabled"

  var testDescription: String { rawValue }

  func bytes() throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: rawValue, withExtension: "json", subdirectory: "Fixtures"))
    return Array(try Data(contentsOf: url))
  }

  func json() throws -> JSONValue { try JSONValue(parsing: bytes()) }

  func connection() throws -> Connection { try read(json()) }
}

/// The connection in a JSON text.
func connection(_ text: String) throws -> Connection { try read(JSONValue(parsing: Array(text.utf8))) }

func read(_ json: JSONValue) throws -> Connection {
  let object = try #require(json.object)
  return try #require(Connection(reading: object))
}

/// The complete JSON of a connection, as a command prints it.
func document(_ connection: Connection, pending: Bool = false) -> String {
  String(decoding: connection.document(pending: pending), as: UTF8.self)
    + #","tracked":true,"stale":false,"fetched_at":"2026-01-31T12:00:00Z"}"#
}
