extension SandboxFixtures {
  /// One capability of a connection.
  struct Feature {
    let id: String
    let title: String
    var description: String?
    let icon: String
    var fields: [Field] = []
    var triggers: [Step] = []
    var queries: [Step] = []
    var actions: [Step] = []
  }

  /// A trigger, query or action of a feature.
  struct Step {
    let id: String
    let service: Service
    /// Without the service's prefix.
    let slug: String
    let label: String
    let fields: [Field]
    /// What a query finds.
    let rows: QueryRows

    init(
      _ id: String, _ service: Service, _ slug: String, _ label: String, _ fields: [Field] = [],
      rows: QueryRows = QueryRows()
    ) {
      (self.id, self.service, self.slug, self.label) = (id, service, slug, label)
      (self.fields, self.rows) = (fields, rows)
    }
  }

  /// Something a user fills in.
  struct Field {
    let id: String
    let label: String
    let type: FieldType
    let isRequired: Bool
    let isHidden: Bool
    let preset: Value?
    /// What a dropdown or a list of checkboxes offers, as it is labelled now, in the order of display.
    let options: [Option]

    init(
      _ id: String, _ label: String, _ type: FieldType, preset: Value? = nil, required: Bool = true,
      hidden: Bool = false, options: [Option] = []
    ) {
      (self.id, self.label, self.type, self.preset) = (id, label, type, preset)
      (self.isRequired, self.isHidden, self.options) = (required, hidden, options)
    }
  }

  /// One choice that a field offers.
  struct Option {
    let value: String
    let label: String
    let group: String?

    init(_ value: String, _ label: String, group: String? = nil) {
      (self.value, self.label, self.group) = (value, label, group)
    }
  }

  /// The kinds of fields that the emulator sends.
  enum FieldType: String, CaseIterable {
    case textField = "TEXT_FIELD"
    case textArea = "TEXT_AREA"
    case collectionSelect = "COLLECTION_SELECT"
    case doubleCollectionSelect = "DOUBLE_COLLECTION_SELECT"
    case checkboxMulti = "CHECKBOX_MULTI"
    case locationPoint = "LOCATION_POINT"
    case locationRadius = "LOCATION_RADIUS"
    case locationEnter = "LOCATION_ENTER"
    case locationExit = "LOCATION_EXIT"
    /// C10: the other spelling of it ends the Android SDK.
    case locationEnterOrExit = "LOCATION_ENTER_OR_EXIT"
  }

  /// What a field is filled with; which kind goes with which type is in connect-api.md, section 9.
  enum Value {
    case text(String)
    case option(String, label: String, group: String? = nil)
    case options([(value: String, label: String)])
    /// Degrees, and metres for the radius; a point has none.
    case place(Double, Double, radius: Double? = nil, address: String, description: String, zoom: Int? = nil)
  }

  /// One configured instance of a feature. Values and steps stand in the order of the feature's own; one that the user's
  /// configuration left out is nil.
  struct UserFeature {
    let id: String
    let feature: Feature
    var isEnabled = true
    var values: [Value?] = []
    var triggers: [UserStep?] = []
    var queries: [UserStep?] = []
    var actions: [UserStep?] = []
  }

  /// A step as one user configured it, its values in the order of the step's own fields.
  struct UserStep {
    let id: String
    var values: [Value?]

    init(_ id: String, _ values: Value...) { self.init(id, values: values) }
    init(_ id: String, values: [Value?]) { (self.id, self.values) = (id, values) }
  }
}
