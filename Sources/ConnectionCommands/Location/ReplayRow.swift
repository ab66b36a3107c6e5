import Location
import Output
import Session
import Store
import World

/// A transition as printed by `location replay`.
struct ReplayRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue {
    /// The status in a dry run.
    case notSent = "not_sent"
    case accepted, waiting, refused
  }

  let crossing: Transition
  let connectionName: String
  var recordID: String?
  var status: Status

  static let fields: Fields = [
    Field("at", "The time of the event; null if the track has no times", column: "AT", overflow: .keep) {
      $0.crossing.time
    },
    Field("event", "Whether the region was entered or left", column: "EVENT", overflow: .keep) { $0.crossing.kind },
    Field("region", "The region's id", column: "REGION", overflow: .elide(least: 8), place: 6) {
      $0.crossing.region.id
    },
    Field("label", "The user's name for the place, or its address", column: "LABEL") { $0.crossing.region.label },
    Field("connection", "The connection's id", column: "CONNECTION", overflow: .keep) {
      $0.crossing.region.connection
    },
    Field("connection_name", "The connection's name") { $0.connectionName },
    Field("lat", "The latitude of the position, in degrees") { $0.crossing.place.latitude },
    Field("lng", "The longitude of the position, in degrees") { $0.crossing.place.longitude },
    Field("record_id", "The event's id in the queue; null in a dry run") { $0.recordID },
    Field("status", "The state of the event", column: "STATUS", style: .status, overflow: .keep) { $0.status },
  ]
}

extension Transition.Kind: OutputValue {}

extension WaitingLocationEvent.Status {
  var inReplay: ReplayRow.Status {
    switch self {
    case .waiting: .waiting
    case .refused: .refused
    case .accepted: .accepted
    }
  }
}
