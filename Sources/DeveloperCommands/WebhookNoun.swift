package import CommandLine
package import Session

extension Node {
  package static var webhook: Node {
    .group("webhook", summary: "Fire events of the Webhooks service", heading: "Your service") {
      [
        .verb(WebhookFire.self)
      ]
    }
  }
}
