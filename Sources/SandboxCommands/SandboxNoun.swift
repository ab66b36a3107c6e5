import Arguments
package import CommandContext

extension Node {
  package static var sandbox: Node {
    .group("sandbox", summary: "Serve the local emulator of IFTTT to other programs", heading: "Sandbox") {
      [
        .verb(SandboxStart.self),
        .verb(SandboxEnv.self),
        .group("faults", summary: "Make the running server fail") {
          [.verb(SandboxFaultsSet.self), .verb(SandboxFaultsList.self), .verb(SandboxFaultsClear.self)]
        },
        .verb(SandboxRequests.self),
        .verb(SandboxReset.self),
        .verb(SandboxSeedCommand.self),
      ]
    }
  }
}
