import IFTTT
import JSON
import Testing

/// The values that the SDKs' own tests expect from these fixtures.
struct FixtureValuesTests {
  @Test func ios() throws {
    let connection = try Fixture.ios.connection()
    #expect(connection.id.description == "LMhuSZW9")
    #expect(connection.name == "Make time for all of your favorite shows on Netflix")
    #expect(connection.details?.hasPrefix("Traveling and forgot to notify us? Now you can show Amex") == true)
    #expect(connection.status == .enabled)
    #expect(connection.enabledCount == 12)
    #expect(connection.coverImages.map(\.width) == [480, 720, 1080, 1440, 2160, 2880, 4320])
    #expect(connection.coverImages.first { $0.width == 1080 }?.url == "https://ifttt.com/1080w")
    #expect(connection.coverImages.last { $0.width < Int(1600 * 1.2) }?.url == "https://ifttt.com/1440w")
    let feature = try #require(connection.features.first)
    #expect(feature.title == "Deliver to a location")
    #expect(feature.details == "Set a location and the grocery will be delivered there")
    #expect(feature.iconURL == "https://ifttt.com/value-prop-icons/gps.png")
    #expect(feature.triggers.first?.prefixedID == "location.enter_region_location")
    let trigger = try #require(connection.userConnection?.features.first?.triggers.first)
    #expect(trigger.id == "somecoolidentifier")
    let location = try #require(chosenLocation(of: trigger))
    #expect(location.radius?.double == 123.456789)
    #expect(location.latitude.double == 12.4567892)
    #expect(location.longitude.double == -98.5432112)
    #expect(location.zoom == nil)
  }

  @Test func iosSeveralFields() throws {
    let connection = try Fixture.iosSeveralFields.connection()
    let trigger = try #require(connection.userConnection?.features.first?.triggers.first)
    #expect(trigger.id == "b0fe2ba5-ff2e-4c4b-b63a-8f65c7f90c48")
    #expect(trigger.fields.map(\.kind) == [.select, .locationEnter])
    let location = try #require(chosenLocation(of: trigger))
    #expect(location.radius?.double == 349.2418372528667)
    #expect(location.latitude.double == 37.78338859999999)
    #expect(location.longitude.double == -122.408433)
    #expect(location.zoom?.int == 16)
    #expect(connection.embeddedURL == "https://ifttt.com/access/api/aMozvjdb")
    #expect(connection.coverImages.isEmpty)
    #expect(connection.services.map(\.shortName) == ["Grocery Expr", "G Loc."])
  }

  @Test func android() throws {
    let connection = try Fixture.android.connection()
    #expect(connection.status == .unknown)
    #expect(connection.statusOnWire == nil)
    #expect(connection.primaryService?.id == "instagram")
    #expect(connection.features.count == 2)
    #expect(connection.features.first?.title == "Required feature")
    let features = try #require(connection.userConnection?.features)
    #expect(features.filter { $0.featureID == connection.features.first?.id }.count == 1)
    let first = try #require(features.first)
    #expect(first.featureID == "pmtch6832j")
    #expect(first.id == "5c7f6d49-5fa9-4305-a7db-39ca38484e6e")
    #expect(first.triggers.count + first.queries.count + first.actions.count == 2)
    let step = try #require(first.triggers.first)
    #expect(step.stepID == "606")
    #expect(step.id == "707")
    #expect(step.fields.map(\.id) == ["path"])
    #expect(step.fields.first.flatMap { FieldValue($0.value) } == .text("/IFTTT"))
    let second = try #require(features.last?.triggers.first)
    #expect(second.fields.map(\.id) == ["location"])
    #expect(chosenLocation(of: second)?.latitude.text == "37.78383800416815")
    #expect(chosenLocation(of: second)?.zoom?.int == 16)
  }

  @Test func androidEnabled() throws {
    let connection = try Fixture.androidEnabled.connection()
    #expect(connection.status == .enabled)
    #expect(connection.services.first { !$0.isPrimary }?.name == "Twitter")
  }

  @Test(arguments: Fixture.allCases)
  func everyFixtureIsParsedCompletely(fixture: Fixture) throws {
    let connection = try fixture.connection()
    #expect(connection.skipped.isEmpty)
    #expect(connection.services.count == 2)
    #expect(connection.primaryService != nil)
    #expect(connection.services.allSatisfy { !$0.shortName.isEmpty })
    #expect(connection.url == "https://ifttt.com/applets/\(connection.id)")
  }

  @Test(arguments: [Fixture.november2018, .december2018, .january2019, .android2])
  func responsesFrom2018And2019(fixture: Fixture) throws {
    let connection = try fixture.connection()
    #expect(connection.services.map(\.shortName) == ["Twitter", "Instagram"])
    #expect(connection.features.isEmpty)
    #expect(connection.userConnection == nil)
    #expect(connection.publishedAt == "2017-02-16T11:10:43-08:00")
    let hasCount = fixture == .november2018 || fixture == .december2018
    #expect(connection.enabledCount == (hasCount ? 644_429 : nil))
    #expect((connection.embeddedURL != nil) == (fixture == .november2018))
  }

  @Test func july2019() throws {
    let connection = try Fixture.july2019.connection()
    #expect(
      connection.valuePropositions.map(\.text) == ["Automatically sync your Netflix favorites to your seat"])
    #expect(
      connection.valuePropositions.map(\.iconURL) == ["https://ifttt.com/value-prop-icons/heart.png"])
    #expect(connection.coverImages.count == 7)
  }

  @Test func androidMarch2020() throws {
    let features = try #require(try Fixture.androidMarch2020.connection().userConnection?.features)
    #expect(features.map(\.isEnabled) == [true, true])
    #expect(features.map(\.enabledOnWire) == [nil, nil])
    #expect(features.first?.triggers.first?.id == nil)
    #expect(features.first?.triggers.first?.fields.first?.kind == .text)
    #expect(features.last?.triggers.first?.fields.first?.kind == .locationArea)
  }

  @Test(arguments: [Fixture.march24, .march25, .march30])
  func triggerIDInThreeSpellings(fixture: Fixture) throws {
    let trigger = try #require(try fixture.connection().userConnection?.features.first?.triggers.first)
    #expect(trigger.id == "somecoolidentifier")
    #expect(trigger.stepID == "f3gtkmjkgf")
    #expect(chosenLocation(of: trigger)?.radius?.text == "123.4567890")
  }

  private func chosenLocation(of step: UserStep) -> FieldValue.Location? {
    step.fields.lazy.compactMap { field in
      if case .location(let location) = FieldValue(field.value) { location } else { nil }
    }.first
  }
}
