extension FixtureTexts {
  /// Short names in plain English, and places in one city. The names are short enough that a table of all
  /// connections fits 80 columns.
  static let plain = FixtureTexts(
    [serviceNames, connectionNames, descriptions, titles, labels, values].reduce(into: [:]) { all, texts in
      all.merge(texts) { first, _ in first }
    },
    places: ["רחוב בדוי 5": (38.7215, -9.156)])

  private static let serviceNames = [
    "Skyglass": "Sky", "Letterbox": "Mail",
    "響 Hibiki Sound": "Hibiki Sound", "響 Hibiki": "Hibiki",
    "فوانيس الحي": "Street Lanterns", "فوانيس": "Lanterns",
    SandboxFixtures.Service.hostile.name: "Bold & Co", SandboxFixtures.Service.hostile.shortName: "Bold",
  ]

  private static let connectionNames = [
    "Lamps that follow the tide": "Lamps dim at low tide",
    "Every lamp, every room": "Every lamp, all rooms",
    "夕方になったら灯りをつける": "Warm light at sunset",
    "مصابيح الحديقة عند الغروب": "Turn on garden lamps",
    "כשיוצאים מהבית Lampost נכבה": "Turn off when I leave",
    SandboxFixtures.openingHours.name: "Cafe sign at opening",
    SandboxFixtures.stormWarning.name: "Storm turns lamps red",
    SandboxFixtures.mailBlink.name: "Mail blinks the lamp",
    SandboxFixtures.lanternParty.name: "Lantern party (beta)",
    "Lanterns in the street": "Lanterns on my street",
    SandboxFixtures.hostileNames.name: "Shout a word",
    // Applets
    "Blink when a letter comes": "Blink for each letter",
    "雨の日は青い灯り": "Blue light before rain",
    "A reminder is due, the lamp blinks": "Blink for a reminder",
    "Lights off, phone silent 🔕": "Lights off, phone silent",
    "Porch light when you come home": "Turn on the porch light",
    "Cafe\u{301} ☕️ warm light": "Warm light for coffee",
  ]

  private static let descriptions = [
    "日没に灯りをつけて、音楽を流します。": "Turns the lights on and plays music at sunset.",
    "夕暮れに合わせて灯りをつけます。": "Turns the lights on at nightfall.",
    "تضيء مصابيح الحديقة عند الغروب وتطفئها ليلا.": "Lights the garden at sunset, and turns it off at night.",
    "מכבה את כל האורות כשיוצאים מהבית.": "Turns off all lights when you leave.",
    "Lights the sign of the cafe\u{301} in the morning.": "Lights the sign of the cafe in the morning.",
    SandboxFixtures.stormWarning.description: "Turns every lamp red when a storm warning is out.",
    "Lights a lantern of the neighbourhood.": "Lights a lantern of the neighborhood.",
    SandboxFixtures.hostileNames.description: "Says one word on a loudspeaker.",
    "<img src=x onerror=alert(1)>\u{202e} backwards": "Choose the word.",
    "Colours for wind, rain and your way out.": "Colors for wind, rain and your way out.",
    "雨が降りそうな朝は灯りを青くします。": "Turns the lights blue on a rainy morning.",
  ]

  /// The titles of features.
  private static let titles = [
    "日が暮れたら点ける": "Light at nightfall",
    "تشغيل المصابيح عند الغروب": "Lamps on at sunset",
    "إطفاء المصابيح عند منتصف الليل": "Lamps off at midnight",
    "כשיוצאים האורות נכבים": "Lights off when you leave",
    "Cafe\u{301} lamps at opening time": "Cafe lamps at opening time",
    "Lanterns of the neighbourhood": "Lanterns of the neighborhood",
    "</h1><script>alert('title')</script>": "Say it out loud",
  ]

  /// The labels of steps, fields and options.
  private static let labels = [
    "シーン": "Scene", "夕焼け": "Evening glow", "月夜": "Moonlight", "読書": "Reading", "季節": "Seasons",
    "日没": "Sunset", "音楽を流す": "Play music", "プレイリスト": "Playlist",
    "المشهد": "Scene", "هادئ": "Calm", "دافئ": "Warm", "ساطع": "Bright", "غروب الشمس": "Sunset",
    "كل يوم في": "Every day at", "الوقت": "Time",
    "יציאה מאזור": "You exit an area", "אזור": "Area",
    "أضئ فانوسا": "Light a lantern", "أي فانوس؟": "Which lantern?", "الألوان": "Colors",
    "عند الباب": "By the door", "عند البئر": "By the well", "عند الجسر": "By the bridge", "عند السوق": "At the market",
    "شارع النخيل": "Palm Street", "شارع النهر": "River Street", "شارع السوق": "Market Street",
    "أحمر": "Red", "أخضر": "Green",
    "Red 🔴": "Red", "Amber 🟠": "Amber", "Über dem Herd": "Above the stove",
    "°C": "Celsius", "°F": "Fahrenheit", "K": "Kelvin", "Metres a second": "Meters per second",
    "\"><script>alert(2)</script>": "Note", "Word\r\nSet-Cookie: a=b": "Word", "</optgroup>": "Greetings",
    "Shout\(SandboxFixtures.bell) & 'say' \"so\"": "Shout", "</option><script>\(SandboxFixtures.bell)": "Good morning",
    "plain\u{9b}31m": "Good night",
  ]

  /// The values that users entered, and the contents of rows.
  private static let values = [
    "Küche, warm": "Kitchen, warm", "2700 K\n40 %": "2700 K, 40 %",
    "maré": "tide", "Casa": "Home", "静かな夜 🌙": "A quiet night", "夏祭り": "Summer festival", "٢٣:٣٠": "23:30",
    "Praça Invented 2, Lisboa": "Rua Invented 2, Lisboa", "רחוב בדוי 5": "Rua Invented 5, Lisboa", "הבית": "Office",
    "The harbour": "The harbor", "Lisboa – Cascais": "Lisboa to Cascais", "The coast 🌊": "The coast",
    "</textarea><b>": "A word for the hall", "<i>& \(SandboxFixtures.bell)": "A word for the kitchen",
    "Setúbal": "Setubal", "Seen from Setúbal": "Seen from Setubal", "clear 🌤": "clear",
  ]
}
