import HTTP
import IFTTT
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import ConnectionCommands
@testable import DeveloperCommands
@testable import Session

/// The questionnaire as a dialog: what it asks, and how an answer changes the configuration.
@Suite struct QuestionnaireTests {
  private func questionnaire(
    _ connection: String = Lamps.connection(), _ language: Language = .britishEnglish
  ) throws -> Questionnaire {
    let object = try #require(try JSONValue(parsing: Array(connection.utf8)).object)
    let connection = try #require(Connection(reading: object))
    var options: [ConfigurationStep: FieldOptions] = [:]
    for feature in connection.features {
      for (step, _) in feature.fieldGroups {
        let text = step.kind == .feature ? Lamps.sceneOptions : Lamps.actionOptions
        options[step] = try FieldOptions(Response(status: 200, body: Array(text.utf8)))
      }
    }
    return Questionnaire(connection, connection.userConnection ?? UserConnection(), options, language)
  }

  /// Returns the lines and questions shown. Each question receives the next answer.
  private func talk(_ questionnaire: inout Questionnaire, _ answers: [String]) -> [String] {
    var left = answers
    var said: [String] = []
    while true {
      switch questionnaire.next() {
      case .report(let text): said.append(text)
      case .ask(let text):
        said.append(text)
        guard !left.isEmpty else { return said }
        questionnaire.receive(left.removeFirst())
      case .end:
        #expect(left == [], "all answers are used")
        return said
      }
    }
  }

  private func body(_ questionnaire: Questionnaire) -> String {
    JSONValue.object(questionnaire.configuration.requestBody).text
  }

  @Test func emptyAnswersChangeNothing() throws {
    var asked = try questionnaire()
    let before = asked.configuration
    #expect(
      talk(&asked, ["", "", "", "", "", ""]) == [
        "Come home", "Value for “Name” (required)", "Press Enter to keep Hall: ", "Value for “Scene” (required)",
        "  1  Evening", "  2  Night", "Choose one by its number. Press Enter to keep sc_4: ",
        "Value for “Area” (required)",
        "Latitude. Press Enter to keep Rua 9 (38.736900, -9.1427, radius 221 m): ", "Value for “Calendar”",
        "  1  Garden",
        "  Shared", "    2  Boat", "Choose one by its number. Press Enter to keep Boat: ", "Value for “Lamps”",
        "  1  Ceiling",
        "  2  Floor", "Choose by number, with commas between: ", "Turn on “Wind”? [y/N] ",
      ])
    #expect(asked.configuration == before)
  }

  /// The label “Area” alone does not show which step the field belongs to.
  @Test func distinguishesFieldsOfTheSameLabelByStep() throws {
    let two = Lamps.connection().replacing(#""label": "Note""#, with: #""label": "Area""#)
    var hidden = try questionnaire(two)
    #expect(talk(&hidden, ["", ""]).contains("Value for “Area” (required)"), "the other field is hidden")
    var asked = try questionnaire(two.replacing(#""hidden": true"#, with: #""hidden": false"#))
    let said = talk(&asked, ["", "", "", "", "", "", "no"])
    #expect(
      said.filter { $0.hasPrefix("Value for “Area") } == [
        "Value for “Area (You enter)” (required)", "Value for “Area (Add)”",
      ])
  }

  @Test func acceptsNumbersLabelsAndValues() throws {
    var asked = try questionnaire()
    _ = talk(&asked, ["Attic", "1", "1.50,2,300", "Garden", "2, Ceiling", "no"])
    #expect(
      body(asked)
        == #"{"user_features":[{"id":"u1","feature_id":"ft","enabled":true,"user_fields":[{"field_id":"name","value":"#
        + #""Attic"},{"field_id":"scene","value":"sc_1"}],"user_feature_triggers":[{"feature_trigger_id":"t1","user_fields":[{"#
        + #""field_id":"area","value":{"lat":1.50,"lng":2,"radius":300}}]}],"user_feature_queries":[{"feature_query_id":"q1","#
        + #""user_fields":[]}],"user_feature_actions":[{"feature_action_id":"a1","user_fields":[{"field_id":"calendar","value":"#
        + #""cal_a"},{"field_id":"note","value":"a\nb"},{"field_id":"lamps","value":[{"label":"Floor","value":"l_2"},{"label":"#
        + #""Ceiling","value":"l_1"}]}]}]}]}"#)
  }

  @Test func asksAgainAfterAnInvalidAnswer() throws {
    var asked = try questionnaire()
    let said = talk(&asked, ["-", "", "9", "-", "1", "91,2,3", "1,2", "", "-", "7", "1", ""])
    #expect(
      said.filter { $0.hasSuffix(".") } == [
        "“Name” needs a value.", "“9” is not one of the options.", "“Scene” needs a value.",
        "Enter a number from -90 to 90.",
        "“Radius in metres” needs a value.", "“7” is not one of the options.",
      ])
    #expect(asked.configuration.features[0].actions[0].fields.map(\.id) == ["note", "lamps"])
  }

  @Test func aDashRemovesAText() throws {
    let optional = Lamps.connection().replacing(
      #""type": "TEXT_FIELD", "required": true"#, with: #""type": "TEXT_FIELD", "required": false"#)
    var asked = try questionnaire(optional)
    _ = talk(&asked, ["-", "", "", "", "", "no"])
    #expect(asked.configuration.features[0].fields.map(\.id) == ["scene"])
  }

  /// An option that follows a group does not appear to belong to it.
  @Test func indentsOnlyTheOptionsOfAGroup() throws {
    let loose = Lamps.actionOptions.replacing(
      #"{"label":"Boat","value":"cal_b","group":"Shared"}"#,
      with: #"{"label":"Boat","value":"cal_b","group":"Shared"},{"label":"Work","value":"cal_w","group":null}"#)
    #expect(loose != Lamps.actionOptions)
    let object = try #require(try JSONValue(parsing: Array(Lamps.connection().utf8)).object)
    let connection = try #require(Connection(reading: object))
    let step = try #require(connection.features[0].fieldGroups.first { $0.step.kind == .action }?.step)
    let options = [step: try FieldOptions(Response(status: 200, body: Array(loose.utf8)))]
    var asked = Questionnaire(connection, connection.userConnection ?? UserConnection(), options, .britishEnglish)
    let said = talk(&asked, ["", "", "", "3", "", "no"])
    let start = try #require(said.firstIndex(of: "  Shared"))
    #expect(said[start...].prefix(3) == ["  Shared", "    2  Boat", "  3  Work"])
    #expect(asked.configuration.features[0].actions[0].fields.first?.value["value"]?.string == "cal_w")
  }

  @Test func asksForALocationPartByPart() throws {
    var asked = try questionnaire()
    let said = talk(&asked, ["", "", "x", "38.7", "y", "-9.1", "", "300", "Rua 1, Lisboa", "", "", ""])
    #expect(
      said.filter { $0.hasPrefix("L") || $0.hasPrefix("R") || $0.hasPrefix("A") || $0.hasPrefix("“") } == [
        "Latitude. Press Enter to keep Rua 9 (38.736900, -9.1427, radius 221 m): ", "“x” is not a number.",
        "Latitude. Press Enter to keep Rua 9 (38.736900, -9.1427, radius 221 m): ", "Longitude: ",
        "“y” is not a number.",
        "Longitude: ", "Radius in metres: ", "“” is not a number.", "Radius in metres: ", "Address: ",
      ])
    #expect(
      asked.configuration.features[0].triggers[0].fields[0].value.text
        == #"{"lat":38.7,"lng":-9.1,"radius":300,"address":"Rua 1, Lisboa"}"#)
  }

  @Test func asksForTheFieldsOfANewlyEnabledFeature() throws {
    var asked = try questionnaire(Lamps.connection(#"{"user_features":[]}"#))
    let said = talk(&asked, ["", "y", "1", "2", "12, Main St"])
    #expect(
      said == [
        "Turn on “Come home”? [y/N] ", "Turn on “Wind”? [y/N] ", "Wind", "Value for “Place” (required)", "Latitude: ",
        "Longitude: ", "Address: ",
      ])
    #expect(asked.configuration.features.map(\.featureID) == ["gx"])
    #expect(
      asked.configuration.features[0].triggers[0].fields[0].value.text == #"{"lat":1,"lng":2,"address":"12, Main St"}"#,
      "a house number is not a radius")
  }

  @Test func offersToReenableADisabledFeature() throws {
    var asked = try questionnaire(Lamps.connection(Lamps.configuration(enabled: false)))
    let said = talk(&asked, ["yes", "", "", "", "", "-", ""])
    #expect(said.prefix(3) == ["Turn on “Come home”? [y/N] ", "Come home", "Value for “Name” (required)"])
    #expect(asked.configuration.features.map(\.isEnabled) == [true])
  }

  @Test func aRequiredFieldNeedsAValue() throws {
    var asked = try questionnaire(Lamps.connection(#"{"user_features":[{"id":"u","feature_id":"gx"}]}"#))
    let said = talk(&asked, ["n", "", "-", "1,2"])
    #expect(said.filter { $0 == "“Place” needs a value." }.count == 2)
  }

  @Test func asksInTheUsersLanguage() throws {
    var asked = try questionnaire(Lamps.connection(#"{"user_features":[]}"#), .german)
    let said = talk(&asked, ["", "ja", "1", "999", "", "1,2,3"])
    #expect(
      said == [
        "„Come home“ einschalten? [j/N] ", "„Wind“ einschalten? [j/N] ", "Wind", "Wert für „Place“ (erforderlich)",
        "Geografische Breite: ", "Geografische Länge: ", "Adresse: ", "Geben Sie eine Zahl von -180 bis 180 ein.",
        "Geografische Breite: ", "Dieser Ort ist ein Punkt und hat keinen Radius.", "Geografische Breite: ",
      ])
  }

  @Test func promptsForAnOptionInEachLanguagesTypography() throws {
    for (language, line) in [
      (Language.japanese, "番号で1つ選んでください。Enterキーでsc_4のまま: "), (.simplifiedChinese, "请输入一个选项的编号。按回车键保留 sc_4："),
      (.canadianFrench, "Choisissez une option par son numéro. Appuyez sur Entrée pour garder sc_4\u{A0}: "),
    ] {
      var asked = try questionnaire(Lamps.connection(), language)
      #expect(talk(&asked, [""]).last == line)
    }
  }

  // MARK: As a command

  @Test func asksOnATerminal() throws {
    let home = Lamps.home(terminal: .interactive())
    let server = Server.reading().answering(204).answering(200, Lamps.connection(Lamps.configuration(name: "Attic")))
    let run = home.run("configure cc", input: .typed(lines: ["Attic", "", "", "", "", ""]), answers: server)
    #expect(run.errors.hasSuffix("Changed:\n  ft.name (Name): Hall → Attic\n"))
    #expect(run.exit == .success)
    #expect(try server.sent(3)["user_fields"]?.array?[0]["value"] == "Attic")
  }

  @Test func removingASettingIsConfirmed() {
    let home = Lamps.home(terminal: .interactive())
    let refused = home.run(
      "configure cc", input: .typed(lines: ["", "", "", "-", "", "", "n"]), answers: .reading())
    #expect(refused.errors.contains("Removed:\n  ft.tides.add.calendar (Calendar): Boat\n"))
    #expect(refused.errors.contains("Remove 1 setting? [y/N] "))
    #expect(refused.exit == .failure)
  }

  @Test func endOfInputChangesNothing() {
    let home = Lamps.home(terminal: .interactive())
    let run = home.run("configure cc", input: .typed(lines: ["Attic"]), answers: .reading())
    #expect(run.errors.hasSuffix("the prompts were not completed; nothing was changed\n"))
    #expect(
      home.run("configure cc", input: .interrupted, answers: Server().answering(200, Lamps.connection())).exit
        == .interrupted)
  }

  @Test func escapesHostileLabels() {
    let home = Lamps.home(terminal: .interactive())
    let bad = Lamps.connection().replacing("Come home", with: "\\u001b]0;x\\u0007Come").replacing(
      "Hall", with: "a\\u202eb")
    let run = home.run("configure cc", input: .typed(lines: []), answers: .reading(bad))
    #expect(run.errors.contains("\\u{1b}]0;x\\u{7}Come"))
    #expect(run.errors.contains("a\\u{202e}b"))
    #expect(!run.errors.contains("\u{1b}]"))
  }
}
