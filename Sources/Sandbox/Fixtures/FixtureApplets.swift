extension SandboxFixtures {
  /// The Applets of the partner service. The first one is the reference's example; the last one is unpublished.
  static let lampostApplets: [SeededApplet] = [
    Applet(
      id: "mB3xWq7T", name: "Lamps on at dusk", description: "Turns the garden lamps on when the sun goes down.",
      services: [.lampost], enabledCount: 1_204, publishedAt: OffsetTime(2017, 9, 12, 8, 15, offset: 1),
      users: [
        "u-5521": UserApplet(status: .enabled, lastRunAt: OffsetTime(2018, 2, 3, 18, 2, 11)),
        "u-7304": UserApplet(status: .disabled, lastRunAt: OffsetTime(2017, 12, 1, 17, 0, 3)),
      ]),
    Applet(
      id: "cH8nRt5K", name: "Blink when a letter comes", description: "Blinks the hall lamp for each new mail.",
      services: [.lampost, .letterbox], enabledCount: 310, publishedAt: OffsetTime(2018, 1, 20, 16, 40, offset: -5),
      users: [:]),
    Applet(
      id: "vL2sJy9D", name: "雨の日は青い灯り", description: "雨が降りそうな朝は灯りを青くします。",
      services: [.lampost, .skyglass], enabledCount: 87, publishedAt: OffsetTime(2018, 5, 7, 0, 30, offset: 9),
      users: [
        "u-5521": UserApplet(status: .disabled, lastRunAt: OffsetTime(2018, 6, 11, 6, 58, offset: 9)),
        "u-7304": UserApplet(status: .enabled),
      ]),
    Applet(
      id: "gZ6pFw4X", name: "A reminder is due, the lamp blinks", description: "For what you must not forget.",
      services: [.lampost, .pocketReminders], enabledCount: 2_950,
      publishedAt: OffsetTime(2018, 5, 6, 21, 0, offset: 2),
      users: ["u-5521": UserApplet(status: .enabled)]),
    Applet(
      id: "kQ7eUb3N", name: "Lights off, phone silent 🔕",
      description: "Silences the phone when you are home and the last lamp is off.",
      services: [.lampost, .ringer, .location], enabledCount: 640,
      publishedAt: OffsetTime(2017, 11, 3, 9, 5, offset: 0),
      users: [:]),
    Applet(
      id: "tN9aVc6P", name: "Porch light when you come home", description: "Greets you at the door.",
      services: [.lampost, .location], enabledCount: 4_411, publishedAt: OffsetTime(2018, 3, 15, 13, 22, 45),
      users: ["u-7304": UserApplet(status: .enabled)]),
    Applet(
      id: "zD4hMr8S", name: "Cafe\u{301} ☕️ warm light", description: "Warm light while the coffee brews.",
      services: [.lampost, .tidebook], enabledCount: 0, publishedAt: nil, users: [:]),
  ].map(SeededApplet.init)

  static let orchardApplets: [SeededApplet] = [
    Applet(
      id: "bW5yKj2L", name: "Water at sunrise", description: "Opens the valves for ten minutes.",
      services: [.orchard, .skyglass], enabledCount: 58, publishedAt: OffsetTime(2018, 4, 2, 5, 45, offset: -7),
      users: ["90210": UserApplet(status: .enabled)])
  ].map(SeededApplet.init)
}
