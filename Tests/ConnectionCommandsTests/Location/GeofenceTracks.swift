import Foundation
import ProgramDriver
import Support
import Testing

/// A connection with geofences, and tracks through them.
enum GeofenceTracks {
  /// A user's home that tracks the connection.
  static func home(says choice: String? = "on") -> Home {
    let home = Home()
    home.environment = ["IFTTT_USER_TOKEN": "a-token-of-the-tests-0123456789"]
    home.secrets = ["a-token-of-the-tests-0123456789"]
    home.run("connections add gg", answers: Server().answering(200, connection))
    if let choice { home.run("location \(choice) gg") }
    return home
  }

  /// One region for each direction, all around the same place. The last region's feature is disabled.
  static let connection = #"""
    {"type":"connection","id":"gg","name":"Lamps","user_status":"enabled","services":[],"features":[],
     "user_connection":{"user_features":[
      {"id":"uf1","feature_id":"f1","enabled":true,"user_fields":[],"user_feature_queries":[],"user_feature_actions":[],
       "user_feature_triggers":[
        {"id":"in","feature_trigger_id":"t1","user_fields":[
         {"field_id":"location","field_type":"LOCATION_ENTER","value":{"lat":0,"lng":0,"radius":100,"description":"Home"}}]},
        {"id":"out","feature_trigger_id":"t2","user_fields":[
         {"field_id":"location","field_type":"LOCATION_EXIT","value":{"lat":"0","lng":"0","radius":"100"}}]},
        {"id":"both","feature_trigger_id":"t3","user_fields":[
         {"field_id":"location","field_type":"LOCATION_ENTER_OR_EXIT","value":{"lat":0,"lng":0,"radius":200}}]}]},
      {"id":"uf2","feature_id":"f1","enabled":false,"user_fields":[],"user_feature_queries":[],"user_feature_actions":[],
       "user_feature_triggers":[
        {"id":"off","feature_trigger_id":"t3","user_fields":[
         {"field_id":"location","field_type":"LOCATION_EXIT","value":{"lat":0,"lng":0,"radius":100}}]}]}]}}
    """#

  /// Positions at these distances in meters north of the place, one per minute.
  static func lines(_ meters: [Double], from start: Int = 10) -> String {
    meters.enumerated().map { minute, meters in
      #"{"lat":\#(meters / 111_195),"lng":0,"time":"2026-03-04T17:\#(start + minute):00Z"}"# + "\n"
    }.joined()
  }
}
