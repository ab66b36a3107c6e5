import CommandLine
package import Session

extension Node {
  package static var location: Node {
    .group(
      "location", summary: "Replay tracks through geofences and report location events", heading: "Connections"
    ) {
      [
        .verb(LocationRegions.self), .verb(LocationReplay.self), .verb(LocationMap.self), .verb(LocationReport.self),
        .verb(LocationReset.self), .verb(LocationOn.self), .verb(LocationOff.self),
        .group(
          "events", summary: "Show, send or discard the queued location events",
          discussion: ["Without a subcommand, it lists the events that IFTTT has not accepted yet."],
          standard: LocationEventsList.name
        ) {
          [.verb(LocationEventsList.self), .verb(LocationEventsFlush.self), .verb(LocationEventsClear.self)]
        },
      ]
    }
  }
}
