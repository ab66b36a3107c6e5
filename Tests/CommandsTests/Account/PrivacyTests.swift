import Foundation
import JSON
import ProgramDriver
import Store
import Support
import Testing
import Text
import World

@testable import Session

/// The output of the `privacy` commands, and the data they store.
@Suite struct PrivacyTests {
  private let home = Home()

  private func row(_ line: String = "privacy show") throws -> JSONValue {
    let run = home.run("\(line) --json")
    #expect(run.exit == .success)
    #expect(run.errors == "")
    return try JSONValue(parsing: Array(run.output.utf8))
  }

  @Test func telemetryIsOffByDefaultAndStoresNothing() throws {
    let row = try row()
    #expect(row["usage_events"] == false)
    #expect(row["reason"] == "not enabled with 'ifttt privacy on'")
    for key in ["since", "anonymous_id", "last_try_at", "last_problem", "not_before", "next"] {
      #expect(row[key]?.isNull == true, "\(key)")
    }
    _ = try self.row("privacy off")
    _ = try self.row("privacy reset")
    #expect(home.folder.names == [])
    #expect(home.run("privacy show").output == "Usage events:  off (not enabled with 'ifttt privacy on')\n")
  }

  @Test func onCreatesAnIDThatLastsUntilReset() throws {
    let on = try row("privacy on")
    #expect(on["usage_events"] == true)
    #expect(on["reason"]?.isNull == true)
    #expect(on["since"] == "2026-09-21T14:13:20Z")
    home.wait(.seconds(60))
    #expect(try row("privacy on") == on)
    #expect(try row() == on)
    let reset = try row("privacy reset")
    #expect(reset["anonymous_id"] != on["anonymous_id"])
    #expect(reset["since"] == on["since"])
    #expect(try row()["anonymous_id"] == reset["anonymous_id"])
    let off = try row("privacy off")
    #expect(off["anonymous_id"]?.isNull == true)
    #expect(off["reason"] == "not enabled with 'ifttt privacy on'", "the same reason as before a choice")
    #expect(try row("privacy on")["anonymous_id"] != reset["anonymous_id"])
  }

  /// Nothing may be sent under an earlier choice after the command exits. A second `off` waits too, although events are
  /// off already: the first one may have been interrupted while it waited.
  @Test(arguments: [["off"], ["off", "off"], ["reset"]]) func theLastCommandWaitsForASender(_ verbs: [String]) throws {
    let before = try row("privacy on")["anonymous_id"]?.string
    for verb in verbs {
      #expect(home.run("privacy \(verb)").exit == .success)
      home.folder.write("usage.lock", "")
    }
    var waits: [String?] = []
    home.prepare = { [home] test in
      test.files.failure = { operation, path in
        guard operation == "locked", path == home.folder["usage.lock"] else { return nil }
        // As another process sees it meanwhile.
        let store = Store(directories: AppDirectories(all: home.folder.path), world: .live())
        waits.append(try? UsageQueue(store).choice()?.anonymousID.revealed)
        return nil
      }
    }
    #expect(home.run("privacy \(verbs.last ?? "")").exit == .success)
    #expect(waits.count == 1 && waits.first != before, "the choice is changed before the wait")
    if verbs.last == "off" { #expect(waits == [nil]) }
  }

  /// Without a lock, no sender has ever run.
  @Test func withoutASenderNothingIsWaitedFor() {
    home.run("privacy on")
    home.prepare = { [home] test in
      test.files.failure = { operation, path in
        path == home.folder["usage.lock"] && operation == "locked" ? SystemError(number: EIO, call: "flock") : nil
      }
    }
    #expect(home.run("privacy off").exit == .success)
    home.folder.write("usage.lock", "")
    #expect(home.run("privacy off").exit != .success, "the lock is waited for")
  }

  @Test func theChoiceAppliesToEveryProfile() throws {
    home.run("privacy on")
    #expect(home.sandbox("privacy show --json --fields usage_events").output == "{\"usage_events\":true}\n")
  }

  @Test(arguments: ["1", "true", "yes", "no", "2", " "]) func doNotTrackOverridesTheChoice(value: String) throws {
    let id = try row("privacy on")["anonymous_id"]
    home.environment["DO_NOT_TRACK"] = value
    let shown = try row()
    #expect(shown["usage_events"] == false)
    #expect(shown["reason"] == "DO_NOT_TRACK is set")
    #expect(shown["anonymous_id"] == id, "the stored id is still shown")
    for verb in ["on", "reset"] {
      let refused = home.run("privacy \(verb)")
      #expect(refused.exit == .failure)
      #expect(refused.notes.dropFirst().first == "  DO_NOT_TRACK is set")
    }
    #expect(try row()["anonymous_id"] == id)
    #expect(try row("privacy off")["anonymous_id"]?.isNull == true)
    #expect(home.run("privacy on").errors.hasPrefix("ifttt: usage events cannot be enabled here\n"))
    #expect(try row()["anonymous_id"]?.isNull == true)
  }

  @Test(arguments: ["", "0", "false", "FALSE"]) func falseValuesOfDoNotTrackAreIgnored(value: String) throws {
    home.environment["DO_NOT_TRACK"] = value
    #expect(try row("privacy on")["usage_events"] == true)
  }

  @Test func telemetryIsOffInCI() throws {
    home.run("privacy on")
    home.environment["CI"] = "true"
    #expect(try row()["reason"] == "CI is set, and a CI service cannot give consent")
    #expect(home.run("privacy on").errors.contains("usage events cannot be enabled here"))
  }

  @Test func aDryRunChangesNothing() throws {
    #expect(home.run("privacy on --dry-run").errors == "Would enable usage events and create an anonymous id.\n")
    #expect(home.folder.names == [])
    let id = try row("privacy on")["anonymous_id"]
    #expect(home.run("privacy reset --dry-run").errors == "Would create a new anonymous id.\n")
    let off = home.run("privacy off --dry-run --exit-code")
    #expect(off.errors.hasPrefix("Would disable usage events and delete the anonymous id and all queued events.\n"))
    #expect(off.exit == .notYet)
    #expect(try row()["anonymous_id"] == id)
  }

  @Test func resetNotesThatTelemetryIsOff() {
    home.terminal = .interactive()
    #expect(home.run("privacy reset").errors == "Usage events are off, so there is no anonymous id.\n")
  }

  @Test(arguments: UnusableStore.all) func anUnreadableStoreIsNotConsent(_ trouble: String) throws {
    home.run("privacy on")
    try UnusableStore.make(trouble, in: home)
    #expect(home.run("privacy show").exit == .store)
    #expect(home.run("privacy off").exit == .store)
  }

  @Test func doctorReportsTheState() throws {
    func found() throws -> String? {
      let report = home.run("doctor --offline --json")
      let rows = try JSONValue(parsing: Array(report.output.utf8)).array ?? []
      return rows.first { $0["check"] == "privacy" }?["found"]?.string
    }
    home.environment = ["HOME": home.folder.path, "PATH": ""]
    let folder = home.folder.path
    home.prepare = { test in
      test.files.failure = { _, path in path.hasPrefix(folder) ? nil : SystemError(number: ENOENT, call: "open") }
    }
    #expect(try found() == "usage events are off: not enabled with 'ifttt privacy on'")
    home.run("privacy on")
    #expect(try found() == "usage events are on since 2026-09-21T14:13:20Z; 0 queued")
  }
}
