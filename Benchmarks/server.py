"""nginx on loopback as the Connect API: every connection id exists, and all connections look alike."""

import os
import socket
import subprocess
import tempfile
import time
import urllib.request

# A response of the service, shortened so that the program prints about 525 bytes.
CONNECTION = (
    '{"id":"$1","name":"Lamps that follow the tide $1","description":"Dims the lamps as the water falls.",'
    '"status":"enabled","enabled_count":12,"url":"https://ifttt.com/applets/$1",'
    '"services":[{"id":"lampost","service_id":"lampost","service_name":"Lampost","service_short_name":"Lampost",'
    '"is_primary":true,"brand_color":"#ffb300","monochrome_icon_url":"https://assets.test/lampost.png",'
    '"color_icon_url":"https://assets.test/lampost-color.png","url":"https://ifttt.com/lampost"}],'
    '"features":[],"user_connection":null}'
)

# The same below `/user`, as a user who configured the connection gets it.
CONFIGURED = CONNECTION.replace('"features":[],"user_connection":null', (
    '"user_status":"enabled","features":[{"id":"mw4tq9hzjc","title":"Leave and the lamps go dark","fields":['
    '{"id":"scene","label":"Scene","type":"COLLECTION_SELECT","required":true},'
    '{"id":"note","label":"Note","type":"TEXT_FIELD","required":false}]}],'
    '"user_connection":{"user_features":[{"id":"uf-$1","feature_id":"mw4tq9hzjc","enabled":true,"user_fields":['
    '{"field_id":"scene","field_type":"COLLECTION_SELECT","value":{"label":"Night","value":"sc_04","group":null}},'
    '{"field_id":"note","field_type":"TEXT_FIELD","value":"until the tide returns"}]}]}'))

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
%(server)s
  }
}
"""

SERVICE = CONNECTION[CONNECTION.index('"services":[') + len('"services":['):CONNECTION.index('],"features"')]


def large(connection, size):
    """The connection with as many services as make it about `size` bytes long. nginx has the service in a variable."""
    count = round((size - len(connection)) / len(SERVICE)) + 1
    return connection.replace(SERVICE, ",".join(["$service"] * count))


# Every response differs from the one before, as if each connection had been renamed since.
def changed(connection):
    return connection.replace('"name":"Lamps that follow the tide $1"', '"name":"Lamps that follow the tide $request_id"')


API = """
    listen 127.0.0.1:%(plain)d;
    listen 127.0.0.1:%(secure)d ssl;
    ssl_certificate %(folder)s/server.pem;
    ssl_certificate_key %(folder)s/server.key;
    set $service '%(service)s';
    location ~ ^/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(connection)s'; }
    location ~ ^/user/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(configured)s'; }
    location ~ ^/changed/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(changed)s'; }
    location ~ ^/changed-4/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(changed_4)s'; }
    location ~ ^/2/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(large_2)s'; }
    location ~ ^/9/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(large_9)s'; }
    location = /v2/user_token { return 200 '{"type":"user_token","user_token":"token-of-$arg_user_id"}'; }
    location / { return 404 '{}'; }
"""


def fetched(url):
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url).read()


def start_nginx(folder, server, url):
    """Starts nginx with one server; all its files are in the folder. Returns when the URL responds."""
    path = os.path.join(folder, "nginx.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION % {"folder": folder, "server": server})
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
    process = subprocess.Popen(["nginx", "-p", folder, "-c", path], env=environment)
    for _ in range(100):
        try:
            fetched(url)
            return process
        except OSError:
            time.sleep(0.05)
    process.terminate()
    process.wait()
    raise SystemExit("nginx did not start")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def make_certificates(folder):
    """Makes a certificate authority for this run, and a certificate from it for localhost."""

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)

    elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    openssl("req", "-x509", *elliptic, "-subj", "/CN=Throwaway", "-keyout", "ca.key", "-out", "ca.pem")
    openssl(
        "req", "-x509", *elliptic, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-addext", "basicConstraints=critical,CA:FALSE", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-keyout", "server.key", "-out", "server.pem",
    )


class Server:
    """A server that runs for the duration of the `with` statement."""

    def system_certificates(self):
        """The system's certificates and the server's own, in the two forms that curl can use: a bundle, and a folder
        with hash links. None if the system has no such folder."""
        system = "/etc/ssl/certs"
        bundle = os.path.join(self.folder.name, "bundle.pem")
        folder = os.path.join(self.folder.name, "certificates")
        if not os.path.exists(f"{system}/ca-certificates.crt"):
            return None, None
        with open(bundle, "wb") as file:
            for part in (f"{system}/ca-certificates.crt", self.certificates):
                with open(part, "rb") as certificates:
                    file.write(certificates.read())
        os.mkdir(folder)
        for name in os.listdir(system):
            os.symlink(os.path.join(system, name), os.path.join(folder, name))
        digest = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in", self.certificates], check=True,
                                capture_output=True, text=True).stdout.strip()
        os.symlink(self.certificates, os.path.join(folder, f"{digest}.0"))
        return bundle, folder

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ifttt-bench-server-")
        folder = self.folder.name
        make_certificates(folder)
        self.plain, self.secure = free_port(), free_port()
        self.certificates = os.path.join(folder, "ca.pem")
        self.process = start_nginx(folder, API % {
            "folder": folder, "plain": self.plain, "secure": self.secure, "connection": CONNECTION, "configured": CONFIGURED,
            "service": SERVICE, "changed": changed(CONNECTION), "changed_4": changed(large(CONNECTION, 3900)),
            "large_2": large(CONNECTION, 2400), "large_9": large(CONNECTION, 8800),
        }, f"http://127.0.0.1:{self.plain}/v2/connections/ready")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()
