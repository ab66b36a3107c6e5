import Arguments
package import CommandContext

extension Node {
  package static var service: Node {
    .group("service", summary: "Test and run the server of your own service", heading: "Your service") {
      [
        .verb(ServiceNotify.self)
      ]
    }
  }
}
