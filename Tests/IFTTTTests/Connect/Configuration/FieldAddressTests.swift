import IFTTT
import Testing

/// Which field an argument names.
struct FieldAddressTests {
  @Test func everyFieldHasAnAddress() throws {
    #expect(
      try Lamps.form().entries.map(\.address) == [
        "ft#1.name", "ft#1.scene", "ft#1.location.enter.area", "ft#1.tides.add.calendar", "ft#1.tides.add.lamps",
        "ft#1.tides.add.note", "ft#1.tides.add.gone", "ft#2.name", "ft#2.scene", "ft#2.location.enter.area",
        "ft#2.tides.add.calendar", "ft#2.tides.add.lamps", "ft#2.tides.add.note", "gx.sky.wind.place",
        "gx.sky.wind.odd",
      ])
  }

  @Test func addressNamesItsField() throws {
    let form = try Lamps.form()
    for entry in form.entries { #expect(try form.entry(named: entry.address) == entry) }
  }

  @Test(arguments: [
    ("u1.name", "ft#1.name"), ("u2.name", "ft#2.name"), ("ft#1.enter.area", "ft#1.location.enter.area"),
    ("ft#2.t1.area", "ft#2.location.enter.area"), ("ft#1.calendar", "ft#1.tides.add.calendar"),
    ("u1.a1.calendar", "ft#1.tides.add.calendar"), ("gx.place", "gx.sky.wind.place"), ("place", "gx.sky.wind.place"),
    ("wind.place", "gx.sky.wind.place"), ("gx#1.sky.wind.place", "gx.sky.wind.place"), ("gone", "ft#1.tides.add.gone"),
  ]) func acceptsShorterNames(word: String, address: String) throws {
    #expect(try Lamps.form().entry(named: word).address == address)
  }

  @Test func rejectsAmbiguousAndUnknownNames() throws {
    let form = try Lamps.form()
    #expect(throws: ConfigurationForm.FieldAddressError.ambiguous("ft.name", ["ft#1.name", "ft#2.name"])) {
      try form.entry(named: "ft.name")
    }
    #expect(throws: ConfigurationForm.FieldAddressError.ambiguous("name", ["ft#1.name", "ft#2.name"])) {
      try form.entry(named: "name")
    }
    #expect(throws: ConfigurationForm.FieldAddressError.ambiguous("ft", ["ft#1", "ft#2"])) {
      try form.instance(named: "ft")
    }
    #expect(throws: ConfigurationForm.FieldAddressError.self) { try form.entry(named: "ft#3.name") }
    #expect(throws: ConfigurationForm.FieldAddressError.self) { try form.entry(named: "") }
    #expect(throws: ConfigurationForm.FieldAddressError.self) { try form.instance(named: "gx") }
  }

  @Test func userFeaturesHaveNames() throws {
    let form = try Lamps.form()
    #expect(try form.instance(named: "u2") == 1)
    #expect(try form.instance(named: "ft#1") == 0)
  }

  /// A feature's own field takes precedence over a step's field of the same name.
  @Test func fullNameTakesPrecedence() throws {
    let connection = try connection(
      #"""
      {"id":"x","features":[{"id":"f","fields":[{"id":"a"}],"feature_actions":[{"id":"s","action_id":"do","service_id":"v",
      "fields":[{"id":"a"}]},{"id":"s2","action_id":"do","service_id":"v","fields":[{"id":"a"}]}]}],
      "user_connection":{"user_features":[{"feature_id":"f"}]}}
      """#)
    let form = ConfigurationForm(connection, try #require(connection.userConnection))
    #expect(form.entries.map(\.address) == ["f.a", "f.s.a", "f.s2.a"], "a step that occurs twice is named by its ids")
    #expect(try form.entry(named: "f.a") == form.entries[0])
    #expect(throws: ConfigurationForm.FieldAddressError.ambiguous("f.v.do.a", ["f.s.a", "f.s2.a"])) {
      try form.entry(named: "f.v.do.a")
    }
  }
}
