import Output
import Session
import World

/// Shows a watch as a table on the terminal.
final class WatchScreen: WatchOutput {
  // How soon the table adapts to a new terminal size.
  let patience = Duration.milliseconds(250)
  private let session: Session
  private let write: ([UInt8]) throws -> Void
  private var table: WatchTable
  private var redraw = Redraw()

  init(_ session: Session, footer: String, write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.write) = (session, write)
    let color = useColor(session.options.color, environment: { session.world.environment[$0] }, isTerminal: true)
    table = WatchTable(color: color)
    table.footer = footer
  }

  func receive(_ event: ConnectionEvent) {
    table.receive(event, at: session.world.clock.monotonic())
  }

  func report(_ notice: ConnectionWatch.Notice) throws {
    if case .failing = notice { table.trouble = notice.words } else { table.trouble = nil }
    try draw()
  }

  func flush() throws { try draw() }
  func idle() throws { try draw() }

  private func draw() throws {
    let size = session.world.screenSize(.output) ?? ScreenSize(columns: session.world.terminal.columns ?? 80, rows: 24)
    let lines = try table.lines(columns: size.columns, rows: size.rows, at: session.world.clock.monotonic())
    let drawing = redraw.drawing(of: lines, columns: size.columns, rows: size.rows)
    if !drawing.isEmpty { try write(Array(drawing.utf8)) }
  }
}
