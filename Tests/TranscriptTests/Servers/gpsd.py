"""Runs Debian's gpsd on a free port, which it prints first, until gpsd has reported a whole track or stdin ends.

    gpsd.py TRACK

gpsd takes over a socket that is already listening, as with systemd, so clients need not wait until it is running. Its only
receiver is the other end of a connection that gpsd opens for its first client, and sends the sentences of TRACK.
"""
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

# The parent process may have blocked SIGTERM, which is used to stop gpsd.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
with open(sys.argv[1], "rb") as file:
    # Skip other data that recorders write between the sentences.
    sentences = b"".join(line for line in file if line.startswith(b"$") and line.endswith(b"\n"))
listener = socket.create_server(("127.0.0.1", 0))
receiver = socket.create_server(("127.0.0.1", 0))


def tell():
    """Send the sentences to gpsd once it has a client, and stop it when it has reported all of their results."""
    connection, _ = receiver.accept()
    with connection, socket.create_connection(listener.getsockname()) as echo:
        answers = echo.makefile("rwb", 0)
        answers.write(b'?WATCH={"enable":true,"nmea":true};\n')
        for answer in answers:
            if b'"WATCH"' in answer:
                break
        connection.sendall(sentences)
        last = sentences.splitlines()[-1]
        for answer in answers:
            if answer.strip() == last:
                break
    gpsd.terminate()


program = shutil.which("gpsd", path=os.environ.get("PATH", "") + ":/usr/sbin")
# sd_listen_fds(3), in the order of gpsd's own gpsd.socket: the control socket for devices, then the client sockets.
control = socket.socket(socket.AF_UNIX)
control.bind(b"")
control.listen()
handover = 'exec 3<&"$1" 4<&"$2"; shift 2; export LISTEN_FDS=2 LISTEN_PID=$$; exec "$@"'
# Use higher numbers than their final ones, so that neither overwrites the other.
handed = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (control, listener)]
place = "tcp://127.0.0.1:%d" % receiver.getsockname()[1]
gpsd = subprocess.Popen(
    ["bash", "-c", handover, "bash"] + [str(number) for number in handed] + [program, "-N", "-b", place],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=handed)
threading.Thread(target=tell, daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
gpsd.terminate()
gpsd.wait()
