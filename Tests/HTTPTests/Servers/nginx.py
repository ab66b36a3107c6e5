"""Runs nginx with HTTP/2 over TLS on a free port, which it prints first, until its stdin is closed.

    nginx.py FOLDER CERTIFICATE KEY [REQUESTS]

After REQUESTS on one connection, nginx closes it, and says so over HTTP/1.1.

nginx inherits a socket that is already listening, so clients need not wait for it to start.
Each response contains its protocol and connection number.
"""
import os
import signal
import socket
import subprocess
import sys

folder, certificate, key, *requests = sys.argv[1:]
# The parent process may have blocked SIGTERM, which is needed to end nginx.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
listener.set_inheritable(True)
port = listener.getsockname()[1]
configuration = f"""
daemon off;
user root;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log off;
  keepalive_requests {requests[0] if requests else 100000};
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    location / {{ default_type application/json; return 200 '$server_protocol $connection'; }}
  }}
}}
"""
with open(f"{folder}/nginx.conf", "w") as file:
    file.write(configuration)
os.environ["NGINX"] = f"{listener.fileno()};"
command = ["nginx", "-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
nginx = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[listener.fileno()])
print(port, flush=True)
sys.stdin.read()
nginx.terminate()
nginx.wait()
