"""Generates a client from a document and disables a connection with it: client.py FILE URL TOKEN CONNECTION SERVICE"""

import pathlib
import subprocess
import sys

file, url, token, connection, service = sys.argv[1:]
program = pathlib.Path(sys.executable).with_name("openapi-python-client")
subprocess.run(
    [program, "generate", "--path", file, "--output-path", "sandbox_client", "--meta", "none", "--fail-on-warning"],
    check=True, stdout=subprocess.DEVNULL, env={"PATH": str(program.parent)})
sys.path.insert(0, ".")

from sandbox_client import AuthenticatedClient, Client  # noqa: E402
from sandbox_client.api.applets_api import list_applets  # noqa: E402
from sandbox_client.api.connect_api import disable_connection, show_connection  # noqa: E402

client = AuthenticatedClient(base_url=url, token=token)
print(len(list_applets.sync(service, client=client).data) > 0)
print(show_connection.sync(connection, client=client).user_status)
print(disable_connection.sync(connection, client=client).user_status)
print(show_connection.sync(connection, client=client).user_status)
print(show_connection.sync(connection, client=Client(base_url=url)).user_status)
print(show_connection.sync("Nope1234", client=client).code)
