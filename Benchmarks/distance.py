"""A proxy that passes bytes on after a delay in each direction, as a server at a distance would be reached.

Run as a program with the port of a server and the round trip in milliseconds, it listens on a free port of loopback, prints
it, and serves until stdin closes. It delays the opening of a connection too: TCP needs a round trip before the first byte."""

import asyncio
import subprocess
import sys


async def carry(reader, writer, delay):
    """Passes on each piece `delay` seconds after it arrived, however many are on their way."""
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue()

    async def deliver():
        while True:
            due, piece = await pieces.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not piece:
                return writer.close()
            writer.write(piece)

    delivery = asyncio.create_task(deliver())
    try:
        while piece := await reader.read(1 << 16):
            pieces.put_nowait((loop.time() + delay, piece))
    except ConnectionError:
        pass
    pieces.put_nowait((loop.time() + delay, b""))
    await delivery


async def serve(port, round_trip):
    async def accept(reader, writer):
        await asyncio.sleep(round_trip)
        try:
            there = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return writer.close()
        try:
            await asyncio.gather(carry(reader, there[1], round_trip / 2), carry(there[0], writer, round_trip / 2))
        except asyncio.CancelledError:
            # The measurement is over, and a client has kept its connection.
            pass

    server = await asyncio.start_server(accept, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


class Distance:
    """The proxy in a process of its own, for the duration of the `with` statement."""

    def __init__(self, port, milliseconds=50):
        self.words = [sys.executable, __file__, str(port), str(milliseconds)]

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]) / 1000))
