"""The sandbox as a server beside nginx, which serves the same bytes from memory: requests a second, one core each."""

import json
import os
import re
import statistics
import subprocess
import tempfile
import time
import urllib.request

from server import free_port

CLIENTS = 16
SECONDS = 2
ROUNDS = 5

CONFIGURATION = """
daemon off;
master_process off;
worker_processes 1;
pid %(folder)s/nginx.pid;
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  open_file_cache max=10;
  client_body_temp_path %(folder)s/body;
  proxy_temp_path %(folder)s/proxy;
  fastcgi_temp_path %(folder)s/fastcgi;
  uwsgi_temp_path %(folder)s/uwsgi;
  scgi_temp_path %(folder)s/scgi;
  default_type application/json;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:%(port)d;
    root %(folder)s/root;
  }
}
"""


def fetched(url):
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url).read()


def rate(url):
    """Requests a second that wrk gets answered over its connections."""
    words = ["wrk", "--threads", "1", "--connections", str(CLIENTS), "--duration", f"{SECONDS}s", url]
    report = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report or "Socket errors" in report:
        raise SystemExit(report)
    return float(re.search(r"Requests/sec:\s*([0-9.]+)", report).group(1))


def rates(program, environment):
    """The medians of both sides, which take turns."""
    path = "/v2/connections/Kd7Rn2Qx"
    sandbox = subprocess.Popen([program, "sandbox", "start", "--json"], env=environment, stdout=subprocess.PIPE)
    base = json.loads(sandbox.stdout.readline())["url"]
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-nginx-") as folder:
        os.makedirs(f"{folder}/root/v2/connections")
        with open(f"{folder}/root{path}", "wb") as file:
            file.write(fetched(base + path))
        port = free_port()
        with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION % {"folder": folder, "port": port})
        search = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        nginx = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], env=search)
        try:
            other = f"http://127.0.0.1:{port}{path}"
            for _ in range(100):
                try:
                    fetched(other)
                    break
                except OSError:
                    time.sleep(0.05)
            samples = [(rate(base + path), rate(other)) for _ in range(ROUNDS)]
        finally:
            for process in (nginx, sandbox):
                process.terminate()
                process.wait()
    return tuple(statistics.median(side) for side in zip(*samples))
