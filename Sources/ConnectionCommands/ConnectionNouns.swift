package import CommandLine
import IFTTT
package import Session

extension Node {
  package static var configure: Node { .verb(Configure.self) }

  package static var connections: Node {
    .group("connections", summary: "List, show and change connections", heading: "Connections") {
      [
        .verb(ConnectionsList.self),
        .verb(ConnectionsShow.self),
        .verb(ConnectionsAdd.self),
        .verb(ConnectionsRemove.self),
        .verb(ConnectionsEnable.self),
        .verb(ConnectionsDisable.self),
        .verb(ConnectionsActivate.self),
        .verb(ConnectionsHistory.self),
        .verb(ConnectionsUndo.self),
        .verb(ConnectionsRedo.self),
        .verb(ConnectionsExport.self),
        .verb(ConnectionsDiff.self),
        .verb(ConnectionsApply.self),
        .verb(ConnectionsWait.self),
        .verb(ConnectionsWatch.self),
        .verb(ConnectionsOpen.self),
        .verb(ConnectionsOptions.self),
        .verb(ConnectionsRun.self),
        .verb(ConnectionsQuery.self),
        .verb(ConnectionsTest.self),
        .verb(ConnectionsButton.self),
      ]
    }
  }

  package static var report: Node {
    .group("report", summary: "Combine the reports of several runs", heading: "Connections") {
      [.verb(ReportMerge.self)]
    }
  }

  package static var applets: Node {
    .group("applets", summary: "Fetch and change a service's Applets (API v1)", heading: "Connections") {
      [.verb(AppletsFetch.self), .verb(AppletsActivate.self), .verb(AppletsEnable.self), .verb(AppletsDisable.self)]
    }
  }
}

extension ValueKind<AppletID> {
  static var appletID: ValueKind {
    .parsed(
      "ID", completion: .dynamic("applet-id"),
      expected: "an Applet's id, without '/', '?', '#' and control characters"
    ) { AppletID(parsing: $0) }
  }
}

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
          defaultCommand: LocationEventsList.name
        ) {
          [.verb(LocationEventsList.self), .verb(LocationEventsFlush.self), .verb(LocationEventsClear.self)]
        },
      ]
    }
  }
}
