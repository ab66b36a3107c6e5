import JSON

extension FiredTrigger {
  /// The ingredients of a fired trigger (reference: location.md, section 1). For the sandbox's own services, the time
  /// is the only one, because the others would be up to the service.
  /// - Parameter isEntry: Whether a geofence was entered; nil in a test.
  func ingredients(of moment: CivilTime, isEntry: Bool? = nil) -> JSONObject {
    var ingredients: JSONObject = ["OccurredAt": .string(moment.spoken)]
    guard step.service.slug == "location" else { return ingredients }
    var place = ""
    for case .place(let latitude, let longitude, _, _, _, _)? in configured.values {
      place = "\(latitude),\(longitude)"
    }
    ingredients["LocationMapUrl"] = .string("https://maps.test/?q=\(place)")
    ingredients["LocationMapImageUrl"] = .string("https://maps.test/image?center=\(place)")
    if step.slug == "enter_or_exit_region_location" {
      ingredients["EnteredOrExited"] = isEntry ?? true ? "entered" : "exited"
    }
    return ingredients
  }
}

extension CivilTime {
  /// The time as it appears in ingredients: `March 04, 2026 at 05:42PM`.
  fileprivate var spoken: String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(months[month - 1]) \(padded(day)), \(padded(year, 4)) at "
      + "\(padded((hour + 11) % 12 + 1)):\(padded(minute))\(hour < 12 ? "AM" : "PM")"
  }
}
