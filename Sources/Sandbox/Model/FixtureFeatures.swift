extension SandboxFixtures {
  /// A feature of a connection.
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
    /// The slug, without the service's prefix.
    let slug: String
    let label: String
    var fields: [Field]
    /// The rows that a query returns.
    let rows: QueryRows
    /// Whether one request to the partner's server validates the values of all fields of a trigger.
    let isContextual: Bool

    init(
      _ id: String, _ service: Service, _ slug: String, _ label: String, _ fields: [Field] = [],
      rows: QueryRows = QueryRows(), isContextual: Bool = false
    ) {
      (self.id, self.service, self.slug, self.label) = (id, service, slug, label)
      (self.fields, self.rows, self.isContextual) = (fields, rows, isContextual)
    }
  }

  /// A field that a user fills in.
  struct Field {
    let id: String
    let label: String
    let type: FieldType
    let isRequired: Bool
    let isHidden: Bool
    let preset: Value?
    /// The options of a dropdown or a checkbox list, with their current labels, in display order.
    var options: [Option]

    init(
      _ id: String, _ label: String, _ type: FieldType, preset: Value? = nil, required: Bool = true,
      hidden: Bool = false, options: [Option] = []
    ) {
      (self.id, self.label, self.type, self.preset) = (id, label, type, preset)
      (self.isRequired, self.isHidden, self.options) = (required, hidden, options)
    }
  }

  /// One option of a field.
  struct Option {
    let value: String
    let label: String
    let group: String?

    init(_ value: String, _ label: String, group: String? = nil) {
      (self.value, self.label, self.group) = (value, label, group)
    }
  }

  /// The field types that the emulator sends.
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
    /// C10: The other spelling crashes the Android SDK.
    case locationEnterOrExit = "LOCATION_ENTER_OR_EXIT"
  }

  /// The value of a field. See connect-api.md, section 9, for the kind of value of each field type.
  enum Value {
    case text(String)
    case option(String, label: String, group: String? = nil)
    case options([(value: String, label: String)])
    /// A location in degrees, with a radius in meters; a point has no radius.
    case place(Double, Double, radius: Double? = nil, address: String, description: String, zoom: Int? = nil)
  }

  /// One configured instance of a feature. Values and steps are in the order of the feature's definition; those
  /// missing from the user's configuration are nil.
  struct UserFeature {
    let id: String
    var feature: Feature
    var isEnabled = true
    var values: [Value?] = []
    var triggers: [UserStep?] = []
    var queries: [UserStep?] = []
    var actions: [UserStep?] = []
  }

  /// A step as configured by one user, with values in the order of the step's fields.
  struct UserStep {
    let id: String
    var values: [Value?]

    init(_ id: String, _ values: Value...) { self.init(id, values: values) }
    init(_ id: String, values: [Value?]) { (self.id, self.values) = (id, values) }
  }
}
