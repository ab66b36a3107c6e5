package import Listener
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves with SwiftNIO, on one thread.
package final class SwiftNIOListener: LoopbackListener {
  package init() {}

  package func open(
    _ settings: ListenerSettings, site: @escaping @Sendable () -> any HTTPResponder
  ) throws -> any HTTPServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      return try NIOServer(settings, on: group, site: site)
    } catch {
      try? group.syncShutdownGracefully()
      throw ListenerError(error, at: settings.address)
    }
  }
}

/// A SwiftNIO server. All mutable state is confined to its event loop.
private final class NIOServer: HTTPServer {
  let address: LoopbackAddress
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  private let connections: NIOLoopBound<ServerConnections>
  private let grace: Duration
  private var isClosed = false

  init(
    _ settings: ListenerSettings, on group: MultiThreadedEventLoopGroup,
    site: @escaping @Sendable () -> any HTTPResponder
  ) throws {
    let loop = group.next()
    let connections = try loop.submit {
      NIOLoopBound(ServerConnections(settings: settings, site: site()), eventLoop: loop)
    }
    .wait()
    let limits = NIOHTTPDecoderLimitConfiguration(settings)
    channel = try ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: limits)
          let connection = ServerConnection(of: connections.value)
          try channel.pipeline.syncOperations.addHandlers([
            ReceiveNotifier(at: connection), ByteToMessageHandler(decoder), connection,
          ])
        }
      }
      .bind(host: settings.interface ?? settings.address.host.rawValue, port: settings.address.port).wait()
    address = LoopbackAddress(settings.address.host, port: channel.localAddress?.port ?? settings.address.port)
    self.group = group
    self.connections = connections
    grace = settings.grace
    let tick = TimeAmount(min(settings.requestTime, settings.idleTime, .seconds(1)) / 4)
    loop.scheduleRepeatedTask(initialDelay: tick, delay: tick) { _ in connections.value.expire(at: .now()) }
  }

  func stopAccepting() { channel.close(promise: nil) }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    let (connections, channel, grace) = (connections, channel, TimeAmount(grace))
    let gone = channel.eventLoop.flatSubmit {
      channel.close(promise: nil)
      let gone = channel.eventLoop.makePromise(of: Void.self)
      connections.value.close(gone)
      channel.eventLoop.scheduleTask(in: grace) { connections.value.abort() }
      return gone.futureResult
    }
    try? gone.wait()
    try? group.syncShutdownGracefully()
  }

  deinit { close() }
}

extension NIOHTTPDecoderLimitConfiguration {
  fileprivate init(_ settings: ListenerSettings) {
    self.init()
    maxHeaderFieldSize = settings.headerLimit
    maxHeaderListSize = settings.headerLimit
    maxHeaderFieldCount = settings.fieldLimit
  }
}

extension ListenerError {
  fileprivate init(_ error: any Error, at address: LoopbackAddress) {
    let number = (error as? IOError)?.errnoCode
    let reason = number.map { String(cString: strerror($0)) } ?? String(describing: error)
    self.init(isTaken: number == EADDRINUSE, description: reason)
  }
}

/// Notifies a connection of received bytes before they are parsed: the decoder reports only complete request heads.
final class ReceiveNotifier: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ServerConnection

  init(at connection: ServerConnection) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.noteBytes()
    context.fireChannelRead(data)
  }
}
