extension SandboxFixtures.Service {
  static let lampost = Self(
    slug: "lampost", name: "Lampost Lights", shortName: "Lampost", channel: 7_000_001, color: "#3a7d44")
  static let tidebook = Self(
    slug: "tidebook", name: "Tidebook Calendar", shortName: "Tidebook", channel: 7_000_002, color: "#12507b")
  static let skyglass = Self(
    slug: "skyglass", name: "Skyglass Weather", shortName: "Skyglass", channel: 7_000_003, color: "#4a90d9")
  static let letterbox = Self(
    slug: "letterbox", name: "Letterbox Mail", shortName: "Letterbox", channel: 7_000_004, color: "#b5432f")
  static let hibiki = Self(
    slug: "hibiki", name: "響 Hibiki Sound", shortName: "響 Hibiki", channel: 7_000_005, color: "#6b2d8c")
  static let orchard = Self(
    slug: "orchard", name: "Orchard Irrigation", shortName: "Orchard", channel: 7_000_006, color: "#7a9e1f")
  static let lanterns = Self(
    slug: "fawanees", name: "فوانيس الحي", shortName: "فوانيس", channel: 7_000_009, color: "#c98a00")
  static let hostile = Self(
    slug: "bold_co", name: "<b>Bold</b> & \"Co\" \u{202e}oC\u{202c}", shortName: "<b>Bold</b>", channel: 7_000_010,
    color: "#ffffff")
  static let location = Self(
    slug: "location", name: "Location", shortName: "Location", channel: 941_030_000, color: "#0099ff",
    native: [.ios, .android])
  static let pocketReminders = Self(
    slug: "pocket_reminders", name: "Pocket Reminders", shortName: "Reminders", channel: 7_000_007, color: "#ff9500",
    native: [.ios])
  static let ringer = Self(
    slug: "ringer", name: "Ringer Volume", shortName: "Ringer", channel: 7_000_008, color: "#3ddc84",
    native: [.android])

  static let all = [
    lampost, tidebook, skyglass, letterbox, hibiki, orchard, location, pocketReminders, ringer,
    lanterns, hostile,
  ]
}
