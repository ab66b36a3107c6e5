import Output
import Session

/// An entry of the log whole, for the inspector: a request, a step of a connection, or both.
struct EntryRow: OutputRecord {
  let shown: ShownEntry

  static let fields: Fields =
    SummaryRow.fields.map { $0.lifted(\.summary) } + ShownEntry.messageFields.map { $0.lifted(\.shown) }

  private var summary: SummaryRow { SummaryRow(shown: shown) }
}

/// An entry of the log without the messages of its request, for the inspector's timeline.
struct SummaryRow: OutputRecord {
  let shown: ShownEntry

  static let fields: Fields = {
    let request: Fields = RequestRow.ownFields.map { $0.lifted(\.request) }
    let step = ActivityRow.ownFields.filter { field in !request.contains { $0.key == field.key } }
    return request + step.map { $0.lifted(\.activity) } + ShownEntry.summaryFields.map { $0.lifted(\.shown) }
  }()

  private var request: RequestRow { RequestRow(shown: shown) }
  private var activity: ActivityRow { ActivityRow(shown: shown) }
}
