import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Slurm on this machine, as ordinary processes of the present user with ports and files of their own, until the object
/// is released. It has one node with four CPUs, whatever the machine has.
final class SlurmCluster {
  private static let programs = ["munged", "slurmctld", "slurmd"].map { "/usr/sbin/\($0)" }
  static let isInstalled =
    programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } && Tool.isInstalled("sbatch")

  let environment: [String: String]
  private let folder = TemporaryFolder()
  private var daemons: [Running] = []

  init() throws {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .prefix { $0 != "." }
    environment = ["SLURM_CONF": folder["slurm.conf"]]
    for name in ["state", "spool"] {
      try FileManager.default.createDirectory(
        atPath: folder[name], withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    folder.write("munge.key", (0..<64).map { _ in UUID().uuidString }.joined(), mode: 0o400)
    // Both ports are free at the same time, so they differ.
    let ports = try [ClosedPort(), ClosedPort()].map(\.number)
    folder.write("slurm.conf", configuration(host: String(host), controller: ports[0], node: ports[1]))

    let socket = folder["munge.socket"]
    try start(
      "munged", "--foreground", "--force", "--socket=\(socket)", "--key-file=\(folder["munge.key"])",
      "--pid-file=\(folder["munged.pid"])", "--seed-file=\(folder["munged.seed"])",
      "--log-file=\(folder["munged.log"])")
    try wait { FileManager.default.fileExists(atPath: socket) }
    try start("slurmctld", "-D", "-i")
    try start("slurmd", "-D")
    let info = try Tool.required("sinfo")
    try wait {
      let outcome = try? info.run(["--noheader", "--format=%t"], in: ScratchFolder(), environment: environment)
      return outcome?.output == "idle\n"
    }
  }

  deinit {
    for daemon in daemons.reversed() {
      daemon.signal(SIGTERM)
      daemon.wait()
    }
  }

  struct Failed: Error { var reason: String }

  private func start(_ program: String, _ words: String...) throws {
    let script = #"exec "$@" >"$0" 2>&1"#
    daemons.append(
      try Running(
        ["/usr/bin/env", "bash", "-c", script, folder["\(program).output"], "/usr/sbin/\(program)"] + words,
        environment: environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }))
  }

  /// Wait for a state that the daemons reach unless one of them ends.
  private func wait(until isReached: () -> Bool) throws {
    while !isReached() {
      guard daemons.allSatisfy(\.isUnderWay) else {
        let logs = ["munged", "slurmctld", "slurmd"].map { "\($0):\n\(folder.text("\($0).output") ?? "")" }
        throw Failed(reason: "Slurm has ended.\n\(logs.joined(separator: "\n"))")
      }
      usleep(50_000)
    }
  }

  private func configuration(host: String, controller: UInt16, node: UInt16) -> String {
    """
    ClusterName=test
    SlurmctldHost=\(host)(127.0.0.1)
    SlurmctldPort=\(controller)
    SlurmdPort=\(node)
    AuthType=auth/munge
    AuthInfo=socket=\(folder["munge.socket"])
    CredType=cred/munge
    SlurmUser=\(getuid())
    SlurmdUser=\(getuid())
    StateSaveLocation=\(folder["state"])
    SlurmdSpoolDir=\(folder["spool"])
    SlurmctldPidFile=\(folder["slurmctld.pid"])
    SlurmdPidFile=\(folder["slurmd.pid"])
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    JobAcctGatherType=jobacct_gather/none
    AccountingStorageType=accounting_storage/none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_CPU
    SchedulerType=sched/builtin
    SchedulerParameters=sched_interval=1,batch_sched_delay=0
    SwitchType=switch/none
    MpiDefault=none
    SlurmdParameters=config_overrides
    ReturnToService=2
    NodeName=\(host) NodeAddr=127.0.0.1 CPUs=4 RealMemory=100 State=UNKNOWN
    PartitionName=test Nodes=\(host) Default=YES MaxTime=INFINITE State=UP

    """
  }
}
