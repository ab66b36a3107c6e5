import Arguments
package import CommandContext

extension Node {
  package static var location: Node {
    .group(
      "location", summary: "Watch a connection's geofences from a track, without walking", heading: "Connections"
    ) {
      [
        .verb(LocationRegions.self), .verb(LocationReplay.self), .verb(LocationMap.self), .verb(LocationReport.self),
        .verb(LocationReset.self), .verb(LocationOn.self), .verb(LocationOff.self),
        .group(
          "events", summary: "The location events that IFTTT has not accepted yet",
          discussion: ["Without a command it lists them."], standard: LocationEventsList.name
        ) {
          [.verb(LocationEventsList.self), .verb(LocationEventsFlush.self), .verb(LocationEventsClear.self)]
        },
      ]
    }
  }
}
