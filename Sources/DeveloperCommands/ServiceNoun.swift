import CommandLine
package import Session

extension Node {
  package static var service: Node {
    .group("service", summary: "Test and run the server of your own service", heading: "Your service") {
      [
        .verb(ServiceTest.self), .verb(ServiceCall.self), .verb(ServiceListen.self),
        .group(
          "events", summary: "Show, replay or remove the received webhooks",
          discussion: ["Without a subcommand, it lists the webhooks that 'service listen' has received."],
          standard: ServiceEventsList.name
        ) {
          [
            .verb(ServiceEventsList.self), .verb(ServiceEventsShow.self), .verb(ServiceEventsReplay.self),
            .verb(ServiceEventsClear.self),
          ]
        },
        .verb(ServiceNotify.self),
      ]
    }
  }
}
