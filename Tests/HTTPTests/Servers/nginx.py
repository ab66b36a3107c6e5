"""Becomes nginx with HTTP/2 over TLS on a free port, which it prints first.

    nginx.py FOLDER CERTIFICATE KEY

nginx takes over the socket that is listening already, so nobody has to wait until it is up.
"""
import os
import socket
import sys

folder, certificate, key = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
listener.set_inheritable(True)
port = listener.getsockname()[1]
configuration = f"""
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  log_format short '$connection $server_protocol $request_uri';
  access_log {folder}/access.log short;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    location / {{ default_type application/json; return 200 '{{"ok":true}}'; }}
  }}
}}
"""
with open(f"{folder}/nginx.conf", "w") as file:
    file.write(configuration)
os.environ["NGINX"] = f"{listener.fileno()};"
print(port, flush=True)
os.execvp("nginx", ["nginx", "-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"])
