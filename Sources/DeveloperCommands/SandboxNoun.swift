import CommandLine
package import Session

extension Node {
  package static var sandbox: Node {
    .group("sandbox", summary: "Run the local emulator of IFTTT as an HTTP server", heading: "Sandbox") {
      [
        .verb(SandboxStart.self),
        .verb(SandboxEnv.self),
        .group("faults", summary: "Inject faults into the responses of the running server") {
          [.verb(SandboxFaultsSet.self), .verb(SandboxFaultsList.self), .verb(SandboxFaultsClear.self)]
        },
        .verb(SandboxRequests.self),
        .verb(SandboxActivity.self),
        .verb(SandboxUsers.self),
        .verb(SandboxReset.self),
        .verb(SandboxSeedCommand.self),
      ]
    }
  }
}
