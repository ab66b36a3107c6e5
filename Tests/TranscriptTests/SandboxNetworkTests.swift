import Foundation
import Support
import Testing

/// A sandbox server that another machine uses: two network namespaces that a cable connects, with a file of hosts.
@Suite(.enabled(if: TwoMachines.arePossible, "skipped: needs unshare(1) with network namespaces, ip and curl"))
struct SandboxNetworkTests {
  private func output(_ script: String) throws -> [String] {
    let outcome = try TwoMachines.run(script, in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test func anotherMachineUsesTheServer() throws {
    let lines = try output(
      """
      server sandbox start --host 0.0.0.0 --port 8080 --allow-host ifttt --control-key-file control.key --detach -q >started
      url=http://ifttt:8080 remote="--url http://ifttt:8080 --control-key-file control.key"
      show away "$IFTTT" sandbox env $remote
      show client IFTTT_ALLOW_HTTP=x.ifttt,other "$IFTTT" sandbox env $remote
      export IFTTT_ALLOW_HTTP=ifttt
      away "$IFTTT" sandbox env $remote >variables 2>errors
      unset IFTTT_ALLOW_HTTP
      . ./variables
      echo "$IFTTT_CONNECT_URL $IFTTT_ALLOW_HTTP"
      show away "$IFTTT" connections show Kd7Rn2Qx -o tsv --no-header --fields status
      show client -u IFTTT_ALLOW_HTTP "$IFTTT" connections show Kd7Rn2Qx
      # The control endpoint needs the key from both machines.
      for run in "" away; do
        for header in "" "Bearer wrong" "Bearer $key"; do
          $run curl -sS -o /dev/null -w '%{http_code}\\n' -H "Authorization: $header" $url/.sandbox/faults
        done
      done
      show away "$IFTTT" sandbox reset --url $url
      show away "$IFTTT" sandbox reset --url $url --control-key-file other.key
      # Names that lead to the server, but are not allowed.
      for host in elsewhere 10.9.0.1; do
        away curl -sS -o /dev/null -w '%{http_code}\\n' http://$host:8080/v2/me
        away curl -sS -w ' %{http_code}\\n' http://$host:8080/.sandbox/health
      done
      # The commands of the server's own machine and user need neither a key nor a permission.
      show server sandbox reset -q -o tsv --no-header
      show away "$IFTTT" sandbox stop $remote -q -o tsv --no-header
      show away "$IFTTT" sandbox reset $remote
      """)
    let refused = "ifttt: --url: not a usable URL"
    let note = "Requests to ifttt use plain http: tokens travel in the clear, and the network can read them."
    #expect(
      lines == [
        refused, "exit 2", refused, "exit 2", "http://ifttt:8080 ifttt", "enabled", note, "exit 0",
        "ifttt: IFTTT_CONNECT_URL: not a usable base URL", "exit 2",
        "401", "401", "200", "401", "401", "200",
        "ifttt: no sandbox server is running at http://ifttt:8080", "exit 3", note, "exit 4",
        "421", #"{"status":"ok"} 200"#, "421", #"{"status":"ok"} 200"#,
        "http://ifttt:8080\ttrue", "exit 0", "http://ifttt:8080\ttrue", "exit 0", note, "exit 3",
      ])
  }

  @Test func withoutAllowedHostsThereIsNoServer() throws {
    let lines = try output(
      """
      show server sandbox start --host 0.0.0.0
      show server sandbox start --host 10.9.0.1
      server sandbox start --port 8080 --detach -q >started
      show away curl -sS -o /dev/null --max-time 5 http://10.9.0.1:8080/.sandbox/health
      server sandbox stop -q >stopped
      # Only an address of this machine can be bound.
      show server sandbox start --host 10.9.0.2 --allow-host ifttt --detach
      """)
    #expect(
      lines[0...3] == [
        "ifttt: --host 0.0.0.0 needs --allow-host", "exit 2", "ifttt: --host 10.9.0.1 needs --allow-host", "exit 2",
      ])
    #expect(lines.count == 8 && lines[4].contains("curl: (7)") && lines[5] == "exit 7", "loopback is not reachable")
    #expect(lines[6].hasPrefix("ifttt: cannot listen on http://10.9.0.2:") && lines[7] == "exit 1")
  }

  @Test func theVariableAndTheProfileAllowHosts() throws {
    let lines = try output(
      """
      export IFTTT_SANDBOX_ALLOW_HOST=other,ifttt
      server sandbox start --host 10.9.0.1 --port 8080 --detach -q >started
      show away curl -sS -o /dev/null -w '%{http_code}\\n' http://IFTTT:8080/v2/me
      show away curl -sS -o /dev/null -w '%{http_code}\\n' http://10.9.0.1:8080/v2/me
      show away "$IFTTT" profile create box --base-url http://ifttt:8080
      show away "$IFTTT" profile create box --base-url http://ifttt:8080 --allow-http ifttt -o tsv --no-header --fields name
      show away "$IFTTT" --profile box api v1/me
      show server sandbox stop -q -o tsv --no-header
      """)
    #expect(
      lines == [
        "200", "exit 0", "200", "exit 0", "ifttt: plain http is not allowed for 'ifttt'", "exit 2", "box", "exit 0",
        #"{"type":"me","authentication_level":"none"}"#,
        "Requests to ifttt use plain http: tokens travel in the clear, and the network can read them.", "exit 0",
        "http://10.9.0.1:8080\ttrue", "exit 0",
      ])
  }
}

/// Shell scripts on this machine and another one.
private enum TwoMachines {
  static let arePossible: Bool = {
    guard let folder = try? ScratchFolder(), Tool.isInstalled("curl"), Tool.isInstalled("nsenter") else { return false }
    return (try? run("true", in: folder))?.status == 0
  }()

  /// `away COMMAND` runs a command on the other machine, and `show COMMAND` prints the output and the exit status.
  private static let machines = """
    set -eu
    PATH="$PATH:/usr/sbin:/sbin"
    ip link set lo up
    unshare --net sleep 3600 & other=$!
    trap 'kill $other; server sandbox stop -q >ended 2>&1 || :' EXIT
    while [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done
    away() { nsenter --target $other --net "$@"; }
    ip link add here type veth peer name there netns $other
    ip address add 10.9.0.1/24 dev here
    ip link set here up
    away ip address add 10.9.0.2/24 dev there
    away ip link set there up
    printf '127.0.0.1 localhost\\n10.9.0.1 ifttt elsewhere\\n' >hosts
    mount --bind hosts /etc/hosts
    export IFTTT_HOME="$PWD/client"
    show() { code=0; "$@" 2>errors || code=$?; sed 1q errors; echo "exit $code"; }
    server() { IFTTT_HOME="$PWD/server" "$IFTTT" "$@"; }
    client() { away env "$@"; }
    key=0123456789abcdef0123456789abcdef
    echo $key >control.key
    echo another-key-another-key-another-key >other.key

    """

  static func run(_ script: String, in folder: ScratchFolder) throws -> Tool.Outcome {
    let namespaces = geteuid() == 0 ? ["-m", "-n"] : ["-r", "-m", "-n"]
    return try Tool.required("unshare").run(
      namespaces + ["bash", "-c", machines + script], in: folder, environment: ["IFTTT": Home.program])
  }
}
