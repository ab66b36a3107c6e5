"""Runs Debian's gpsd on a free port, which it prints first, until it has said all of a track or standard input ends.

    gpsd.py TRACK

gpsd takes over the socket that is listening already, as from systemd, so nobody has to wait until it is up. Its only
receiver is at the other end of a connection that it makes for its first listener, and tells the sentences of TRACK.
"""
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

# Whoever started this may have had SIGTERM blocked, and gpsd is ended with it.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
with open(sys.argv[1], "rb") as file:
    # Whatever else recorders write between them.
    sentences = b"".join(line for line in file if line.startswith(b"$") and line.endswith(b"\n"))
listener = socket.create_server(("127.0.0.1", 0))
receiver = socket.create_server(("127.0.0.1", 0))


def tell():
    """Has gpsd read the sentences once somebody listens, and ends it when it has said all that follows from them."""
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
# sd_listen_fds(3), as gpsd's own gpsd.socket has it: a socket to be told of devices, then those to be asked at.
control = socket.socket(socket.AF_UNIX)
control.bind(b"")
control.listen()
handover = 'exec 3<&"$1" 4<&"$2"; shift 2; export LISTEN_FDS=2 LISTEN_PID=$$; exec "$@"'
# Above the numbers they are to get, so that neither takes the other's place.
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
