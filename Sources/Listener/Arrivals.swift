import NIOCore

/// Notifies a connection of received bytes before they are parsed: the decoder reports only complete request heads.
final class Arrivals: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: Connection

  init(at connection: Connection) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.noteBytes()
    context.fireChannelRead(data)
  }
}
