import Testing
import World

extension LiveTests {
  @Suite struct StartTests {
    @Test func widthComesFromTheTerminal() throws {
      let probe = try Probe(onTerminal: ["terminal"], columns: 132, environment: ["COLUMNS=77"])
      let expected = Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, columns: 132)
      #expect(probe.read(until: "\n") == "\(expected)\r\n")
    }

    @Test(arguments: [("77", 77), ("0", nil), ("-3", nil), ("wide", nil), ("", nil)])
    func widthFallsBackToTheVariable(variable: String, columns: Int?) throws {
      let probe = try Probe(onTerminal: ["terminal"], columns: 0, environment: ["COLUMNS=\(variable)"])
      let expected = Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, columns: columns)
      #expect(probe.read(until: "\n") == "\(expected)\r\n")
    }

    @Test func pipeHasNoWidth() throws {
      let probe = try Probe(["terminal"], environment: ["COLUMNS=77"])
      let expected = Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil)
      #expect(probe.readToEnd() == "\(expected)\n")
    }

    @Test(arguments: [
      (["A=1"], "1\n"), (["A="], "\n"), ([], "unset\n"), (["A=b=c"], "b=c\n"), (["A=1", "A=2"], "1\n"),
    ])
    func readsEnvironmentVariables(environment: [String], value: String) throws {
      #expect(try Probe(["environment", "A"], environment: environment).readToEnd() == value)
    }

    @Test func argumentsMayBeInvalidUTF8() throws {
      let probe = try Probe(["words"], wrapper: ["sh", "-c", #"exec "$0" "$@" "" "é" "$(printf 'a\377')""#])
      #expect(probe.readToEnd() == "[] [195, 169] [97, 255]\n")
    }

    @Test func randomBytesDiffer() {
      let random = LiveRandom()
      #expect(random.bytes(0).isEmpty)
      #expect(random.bytes(32).count == 32)
      #expect(random.bytes(32) != random.bytes(32))
    }

    @Test func systemErrorContainsTheSystemsMessage() {
      #expect(SystemError(number: 2, call: "open x").description == "open x: No such file or directory")
    }
  }
}
