import NIOCore

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
