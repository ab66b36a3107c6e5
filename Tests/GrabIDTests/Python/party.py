"""Runs op.py until stdin is closed, so that it never outlives the test that started it."""
import os, signal, sys, threading

import op


def watch():
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)  # op.py then removes its folder


threading.Thread(target=watch, daemon=True).start()
op.main()
