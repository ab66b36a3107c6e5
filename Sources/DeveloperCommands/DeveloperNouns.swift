package import CommandLine
package import Session

extension Node {
  package static var service: Node {
    .group("service", summary: "Test and run the server of your own service", heading: "Your service") {
      [
        .verb(ServiceTest.self), .verb(ServiceCall.self), .verb(ServiceListen.self),
        .group(
          "events", summary: "Show, replay or remove the received webhooks",
          discussion: ["Without a subcommand, it lists the webhooks that 'service listen' has received."],
          defaultCommand: ServiceEventsList.name
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

  package static var webhook: Node {
    .group("webhook", summary: "Fire events of the Webhooks service", heading: "Your service") {
      [
        .verb(WebhookFire.self)
      ]
    }
  }

  package static var sandbox: Node {
    .group("sandbox", summary: "Run the local emulator of IFTTT as an HTTP server", heading: "Sandbox") {
      [
        .verb(SandboxStart.self), .verb(SandboxStatus.self), .verb(SandboxStop.self),
        .verb(SandboxEnv.self), .verb(SandboxOpen.self),
        .group("faults", summary: "Inject faults into the responses of the running server") {
          [.verb(SandboxFaultsSet.self), .verb(SandboxFaultsList.self), .verb(SandboxFaultsClear.self)]
        },
        .verb(SandboxRequests.self), .verb(SandboxSendAgain.self),
        .verb(SandboxActivity.self), .verb(SandboxTrigger.self),
        .verb(SandboxUsers.self),
        .verb(SandboxReset.self),
        .verb(SandboxSeedCommand.self),
      ]
    }
  }

  package static var plugin: Node {
    .group("plugin", summary: "Manage plugins: list, install, upgrade, create", heading: "Setup") {
      [
        .verb(PluginList.self),
        .verb(PluginShow.self),
        .verb(PluginInstall.self),
        .verb(PluginSearch.self),
        .verb(PluginOutdated.self),
        .verb(PluginUpgrade.self),
        .verb(PluginRollback.self),
        .verb(PluginRemove.self),
        .verb(PluginLink.self),
        .verb(PluginUnlink.self),
        .verb(PluginVerify.self),
        .verb(PluginNew.self),
        .verb(PluginTest.self),
        .verb(PluginPackaging.self),
        .pluginIndex,
        .pluginTrust,
      ]
    }
  }

  private static var pluginIndex: Node {
    .group("index", summary: "Manage the indexes that plugins are installed from") {
      [.verb(IndexList.self), .verb(IndexAdd.self), .verb(IndexUpdate.self), .verb(IndexRemove.self)]
    }
  }

  private static var pluginTrust: Node {
    .group("trust", summary: "Manage the keys whose signatures on plugins are trusted") {
      [.verb(TrustList.self), .verb(TrustAdd.self), .verb(TrustRemove.self)]
    }
  }
}

extension ValueKind<String> {
  /// The name of an installed plugin, even a broken one.
  static var pluginName: ValueKind { nonEmpty("NAME", completion: .dynamic(CompletionCandidates.plugin.rawValue)) }
}
