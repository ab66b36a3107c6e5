import Foundation
import Support
import Testing

/// The examples in `Examples/fleet`: each engine runs one command for many users, in shards.
@Suite struct FleetTests {
  private static let examples = Checkout.path("Examples/fleet")

  private static let hasYAML =
    Tool("python3").flatMap { try? $0.run(["-c", "import yaml"], in: ScratchFolder()).status } == 0

  /// A file of the examples, with anchors resolved, as JSON.
  private func read(_ name: String) throws -> [String: Any] {
    let script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    let json = try Tool.required("python3").run(["-c", script, "\(Self.examples)/\(name)"], in: ScratchFolder())
    #expect(json.status == 0, "\(json.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
  }

  @Test(.enabled(if: Tool.isInstalled("parallel"), "skipped: needs GNU parallel"))
  func parallelContinuesAfterAKilledShard() throws {
    // Only the shard that is killed must fill its pipe.
    let fleet = try FleetFolder(generated: 9998, onlyLargeShard: 2)
    try fleet.killOnce(shard: 2)
    let line = "'\(Self.examples)/parallel.sh' users.jsonl Kd7Rn2Qx results"
    let first = try fleet.bash(line)
    #expect(first.status != 0, "\(first.output)")
    try fleet.expectKilled(shard: 2)
    let second = try fleet.bash(line)
    #expect(second.status == 0, "\(second.errors)")
    try fleet.expectComplete(shards: 4)
    // Only the killed shard has run again.
    let log = fleet.folder.text("results/jobs.log")?.split(separator: "\n").dropFirst() ?? []
    #expect(log.map { $0.split(separator: "\t")[0] }.sorted() == ["1", "2", "2", "3", "4"])
  }

  @Test(.enabled(if: SlurmCluster.isInstalled, "skipped: needs slurmctld, slurmd and munge"))
  func slurmRunsAKilledTaskAgain() throws {
    let cluster = try SlurmCluster()
    // Only the shard that is killed must fill its pipe.
    let fleet = try FleetFolder(generated: 9998, onlyLargeShard: 2)
    try fleet.killOnce(shard: 2)
    let line = "sbatch --wait %@ '\(Self.examples)/slurm.sh' users.jsonl Kd7Rn2Qx results"
    func submit(_ options: String, _ variables: [String: String] = [:]) throws -> Tool.Outcome {
      try fleet.bash(line.replacing("%@", with: options), cluster.environment.merging(variables) { $1 })
    }
    let first = try submit("")
    #expect(first.status != 0, "\(first.output)\(first.errors)")
    try fleet.expectKilled(shard: 2)
    let second = try submit("--array=2", ["IFTTT_SHARD": "2/4"])
    #expect(second.status == 0, "\(second.output)\(second.errors)")
    try fleet.expectComplete(shards: 4)
  }

  @Test(.enabled(if: Tool.isInstalled("parallel"), "skipped: needs GNU parallel"))
  func thePageAboutManyUsersWorksWithParallel() throws {
    let fleet = try FleetFolder(generated: 398)
    try prepare(fleet)
    let run = try fleet.bash(try block("seq 8 | parallel --jobs 8 '"))
    try expectAllEnabled(fleet, run)
  }

  @Test(.enabled(if: SlurmCluster.isInstalled, "skipped: needs slurmctld, slurmd and munge"))
  func thePageAboutManyUsersWorksWithSlurm() throws {
    let cluster = try SlurmCluster()
    let fleet = try FleetFolder(generated: 98)
    try prepare(fleet)
    let script = try block("ifttt token exchange --users users.jsonl --shard auto >/dev/null")
    fleet.folder.write("apply.sh", "#!/bin/sh\n\(script)")
    let submission = try block("sbatch --array=1-64 --wait apply.sh")
    try expectAllEnabled(fleet, try fleet.bash(submission.replacing("64", with: "4"), cluster.environment))
  }

  /// The text of the page's code block that begins with a line.
  private func block(_ first: String) throws -> String {
    try #require(CodeBlock.blocks(of: "docs/fleet.md").first { $0.lines.first == first }).text
  }

  /// Write the files that the page expects: users with their access tokens, all of whom can enable both connections, and a
  /// state that differs from theirs.
  private func prepare(_ fleet: FleetFolder) throws {
    let users = try fleet.server.home.run(["sandbox", "users", "--tokens"]).text.split(separator: "\n")
    fleet.folder.write("users.jsonl", users.filter { !$0.contains("u-7304") }.map { "\($0)\n" }.joined())
    let export = try fleet.bash(
      "ifttt connections export Kd7Rn2Qx Xe2Gf9Ln | sed 's/\"disabled\"/\"enabled\"/' >wanted.json")
    #expect(export.status == 0, "\(export.errors)")
  }

  private func expectAllEnabled(_ fleet: FleetFolder, _ run: Tool.Outcome) throws {
    #expect(run.status == 0, "\(run)")
    let count = try #require(fleet.folder.text("users.jsonl")).count { $0 == "\n" }
    #expect(run.output.contains("SUCCEEDED:  \(2 * count)\n"), "\(run.output)")
    let rows = try fleet.bash("ifttt connections show Xe2Gf9Ln --users users.jsonl -o jsonl --fields status")
    #expect(rows.output == String(repeating: "{\"status\":\"enabled\"}\n", count: count), "\(rows.errors)")
  }

  /// `simulate.py` divides the users as the program does, and counts what became of each connection.
  @Test func theSimulationChangesEachConnectionOnce() throws {
    let folder = try ScratchFolder()
    func simulate(_ options: [String] = []) throws -> Tool.Outcome {
      let script = Python.arguments + ["\(Self.examples)/simulate.py", "--users", "400", "--connections", "3"]
      return try Tool.required("python3").run(script + ["--shards", "1", "8", "64"] + options, in: folder)
    }
    for options in [[], ["--keep-disk"], ["--seed", "2", "--deaths", "0.7"], ["--deaths", "0.7", "--keep-disk"]] {
      let outcome = try simulate(options)
      let rows = outcome.output.split(separator: "\n").dropFirst(2)
      #expect(outcome.status == 0 && rows.count == 3 && rows.allSatisfy { $0.hasSuffix(" 0") }, "\(outcome)")
    }
    #expect(try simulate().output == simulate().output)
    // The count notices a change that is sent again without reading.
    #expect(try simulate(["--deaths", "0.7", "--blind"]).status == 1)
  }

  @Test func theSimulationDividesUsersAsTheProgramDoes() throws {
    let folder = try ScratchFolder()
    let users = (0..<300).map { "u-\($0)" } + ["ä", "u 1", "😀"]
    try folder.write(users.map { "{\"user_id\":\"\($0)\"}\n" }.joined(), to: "users.jsonl")
    let script = """
      import json, sys; sys.path.insert(0, sys.argv[1]); from simulate import shard_of
      for line in open("users.jsonl", encoding="utf-8"): print(shard_of(json.loads(line)["user_id"], 7))
      """
    let shards = try Tool.required("python3").run(Python.arguments + ["-c", script, Self.examples], in: folder).output
      .split(separator: "\n").map(String.init)
    try #require(shards.count == users.count)
    let home = Home()
    for shard in 1...7 {
      let rows = try home.run(
        [
          "connections", "show", "Kd7Rn2Qx", "--profile", "sandbox", "--users", folder.path + "/users.jsonl", "--shard",
          "\(shard)/7", "-o", "jsonl", "--fields", "user_id",
        ])
      let own = zip(users, shards).filter { $0.1 == "\(shard)" }.map { "{\"user_id\":\"\($0.0)\"}\n" }
      #expect(rows.text.split(separator: "\n").map { "\($0)\n" }.sorted() == own.sorted(), "\(rows.errors)")
    }
  }

  /// The fields that Kubernetes requires for an Indexed Job, and its command with the variables that Kubernetes sets.
  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theIndexedJobRuns() throws {
    let job = try read("job.yaml")
    #expect(job["apiVersion"] as? String == "batch/v1" && job["kind"] as? String == "Job")
    let spec = try #require(job["spec"] as? [String: Any])
    #expect(spec["completionMode"] as? String == "Indexed")
    let completions = try #require(spec["completions"] as? Int)
    let parallelism = try #require(spec["parallelism"] as? Int)
    #expect(1...completions ~= parallelism)
    let pod = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
    #expect(["Never", "OnFailure"].contains(pod["restartPolicy"] as? String))
    let containers = try #require(pod["containers"] as? [[String: Any]])
    let container = try #require(containers.first)
    #expect(containers.count == 1 && container["name"] is String && container["image"] is String)
    let mounts = try #require(container["volumeMounts"] as? [[String: Any]])
    let volumes = try #require(pod["volumes"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(Set(mounts.compactMap { $0["name"] as? String }) == Set(volumes) && volumes.count == mounts.count)

    let fleet = try FleetFolder(generated: 398)
    let key = try #require(fleet.environment["IFTTT_SERVICE_KEY"])
    try FileManager.default.createDirectory(atPath: fleet.folder["secrets"], withIntermediateDirectories: false)
    fleet.folder.write("secrets/service-key", key, mode: 0o400)
    let command = try #require(container["command"] as? [String])
    var script = try #require((container["args"] as? [String])?.first)
    for (path, target) in [("/users/", ""), ("/secrets/", "secrets/"), ("/results/", "results/")] {
      #expect(mounts.contains { "\($0["mountPath"] as? String ?? "")/" == path } && script.contains(path))
      script = script.replacing(path, with: "\(fleet.folder.path)/\(target)")
    }
    var variables = ["IFTTT_SERVICE_KEY": ""]
    for variable in try #require(container["env"] as? [[String: String]]) {
      let name = try #require(variable["name"])
      variables[name] = name == "IFTTT_HOME" ? fleet.folder["home"] : variable["value"]
    }
    #expect(variables["SHARDS"] == "\(completions)")
    for index in 0..<completions {
      let outcome = try fleet.run(
        "env", command + [script], variables.merging(["JOB_COMPLETION_INDEX": "\(index)"]) { $1 })
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try fleet.expectComplete(shards: completions)
  }

  /// kubectl reads the manifest into Kubernetes' own types, and prints only the fields that these have.
  @Test(.enabled(if: Tool.isInstalled("kubectl") && hasYAML, "skipped: needs kubectl and python3-yaml"))
  func kubectlAcceptsTheManifest() throws {
    let read = try Tool.required("kubectl").run(
      ["set", "env", "--local", "-o", "json", "-f", "\(Self.examples)/job.yaml", "ADDED=1"], in: ScratchFolder())
    #expect(read.status == 0, "\(read.errors)")
    let understood = try #require(
      JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [String: Any])
    func compare(_ ours: Any, _ theirs: Any?, _ path: String) {
      switch ours {
      case let ours as [String: Any]:
        for (key, value) in ours { compare(value, (theirs as? [String: Any])?[key], "\(path).\(key)") }
      case let ours as [Any]:
        let theirs = theirs as? [Any] ?? []
        for (index, value) in ours.enumerated() {
          compare(value, index < theirs.count ? theirs[index] : nil, "\(path)[\(index)]")
        }
      default: #expect((theirs as? NSObject) == (ours as? NSObject), "\(path) is not a field of a Job")
      }
    }
    compare(try self.read("job.yaml"), understood, "")
  }

  /// Each job's steps as GitHub runs them. Artifacts are copied by the test.
  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theWorkflowRuns() throws {
    let workflow = try read("workflow.yml")
    let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
    let show = try #require(jobs["show"])
    let strategy = try #require(show["strategy"] as? [String: Any])
    let shards = try #require((strategy["matrix"] as? [String: [Any]])?["shard"])
    #expect(strategy["fail-fast"] as? Bool == false, "a failed shard must not cancel the others")

    let fleet = try FleetFolder(generated: 398)
    let secret = try #require((workflow["env"] as? [String: String])?["IFTTT_SERVICE_KEY"])
    #expect(secret == "${{ secrets.IFTTT_SERVICE_KEY }}")
    for index in shards.indices {
      let values = ["${{ strategy.job-index }}": "\(index)", "${{ strategy.job-total }}": "\(shards.count)"]
      var variables: [String: String] = [:]
      for (name, text) in try #require(show["env"] as? [String: String]) {
        let value: String = try #require(values[text], "\(name) is \(text)")
        variables[name] = value
      }
      try run(show, variables, fleet, in: "job-\(index)")
      let steps = try #require(show["steps"] as? [[String: Any]])
      let upload = try #require(steps.last?["with"] as? [String: String])
      #expect(upload["name"] == "shard-${{ strategy.job-index }}", "two artifacts cannot have the same name")
      let path = try #require(upload["path"])
      for name in try FileManager.default.contentsOfDirectory(atPath: fleet.folder["job-\(index)/\(path)"]) {
        try FileManager.default.moveItem(
          atPath: fleet.folder["job-\(index)/\(path)/\(name)"], toPath: fleet.folder["results/\(name)"])
      }
    }
    let merge = try #require(jobs["merge"])
    let download = try #require((merge["steps"] as? [[String: Any]])?.first?["with"] as? [String: Any])
    #expect(download["path"] as? String == "results" && download["merge-multiple"] as? Bool == true)
    #expect(merge["needs"] as? String == "show")
    try FileManager.default.createDirectory(atPath: fleet.folder["job-merge"], withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: fleet.folder["job-merge/results"], withDestinationPath: fleet.results)
    try run(merge, [:], fleet, in: "job-merge")
    try fleet.expectComplete(shards: shards.count)
  }

  /// Run the shell steps of a job in a folder with the files of the repository.
  private func run(
    _ job: [String: Any], _ variables: [String: String], _ fleet: FleetFolder, in name: String
  ) throws {
    for step in try #require(job["steps"] as? [[String: Any]]) {
      if let action = step["uses"] as? String {
        guard action.hasPrefix("actions/checkout@") else { continue }
        try FileManager.default.createDirectory(atPath: fleet.folder[name], withIntermediateDirectories: false)
        try FileManager.default.copyItem(
          atPath: fleet.folder["users.jsonl"], toPath: fleet.folder["\(name)/users.jsonl"])
      } else {
        let script = try #require(step["run"] as? String)
        #expect(!script.contains("${{"), "expressions in a script would need quoting")
        let outcome = try fleet.bash("cd '\(fleet.folder[name])'\n\(script)", variables)
        #expect(outcome.status == 0, "\(script): \(outcome.errors)")
      }
    }
  }
}
