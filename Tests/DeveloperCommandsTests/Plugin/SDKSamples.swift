/// A provider that signs in, in each language that has a library: its list uses a stored credential, its activation
/// prompts for a secret and opens the browser, and its command saves a credential under a lock.
enum SDKSamples {
  static let manifest = #"""
    {
      "schema_version": 1, "name": "bank", "version": "1.0.0", "summary": "Accounts", "kind": "provider",
      "executable": "EXECUTABLE", "protocol": ["1"],
      "capabilities": ["connections/list", "connections/activate", "command/run"],
      "credentials": ["token"], "hosts": [], "environment": [], "browser": true,
      "commands": {"name": "bank", "summary": "Accounts", "subcommands": [{"name": "login", "summary": "Sign in"}]}
    }
    """#

  static let answers = #"""
    {
      "credentials": {"token": "stored-token"}, "prompts": ["entered-secret"], "confirms": [true],
      "redirects": ["?code=granted-code&state={state}"], "commands": [{"command": ["login"]}]
    }
    """#

  static let python = #"""
    #!/usr/bin/env python3
    import sys
    from ifttt_plugin import Connection, Plugin, PluginError
    plugin = Plugin("bank", "1.0.0")

    @plugin.list_connections
    def list_connections(host, status):
        print("stdout of the plugin")
        token = host.credential("token")
        yield Connection("main", "Ünï \U0001F680 שלום", "enabled" if token else "disabled")

    @plugin.activate_connection
    def activate(host, identifier, values):
        secret = host.prompt("Secret", secret=True)
        uri = host.bind_redirect()
        redirect = host.open_redirect("https://bank.test/authorize", uri, "st ate/1")
        if redirect.parameters != {"code": "granted-code", "state": "st ate/1"} or ":47823/" not in uri:
            raise PluginError("bad_response", "the redirect is wrong")
        host.save_credentials({"token": secret + redirect.parameters["code"]})
        host.finish_redirect(True)
        return Connection(identifier, "Main", "enabled")

    @plugin.command("login")
    def login(host, call):
        if not host.confirm("Sign in?"):
            raise PluginError("refused", "not confirmed")
        with host.lock("login"):
            host.save_credentials({"token": host.prompt("Secret", secret=True)})
        host.progress(1, 2, "Signing in")
        host.log("signed in")
        return "Signed in.\n"

    plugin.run()
    """#

  static let javascript = #"""
    #!/usr/bin/env node
    import { Plugin, PluginError } from "./ifttt_plugin.mjs";
    const plugin = new Plugin("bank", "1.0.0");
    plugin.listConnections(async function* (host) {
      console.log("stdout of the plugin");
      const token = await host.credential("token");
      yield { id: "main", name: "Ünï \u{1F680} שלום", status: token ? "enabled" : "disabled" };
    });
    plugin.activateConnection(async (host, id) => {
      const secret = await host.prompt("Secret", { secret: true });
      const redirectUri = await host.bindRedirect();
      const redirect = await host.openRedirect({ url: "https://bank.test/authorize", redirectUri, state: "st ate/1" });
      const isRight = redirect.parameters.get("state") === "st ate/1" && redirectUri.includes(":47823/");
      if (!isRight) throw new PluginError("bad_response", "the redirect is wrong");
      await host.saveCredentials({ token: secret + redirect.parameters.get("code") });
      await host.finishRedirect(true);
      return { id, name: "Main", status: "enabled" };
    });
    plugin.command("login", async (host) => {
      if (!(await host.confirm("Sign in?"))) throw new PluginError("refused", "not confirmed");
      await host.withLock("login", async () => {
        await host.saveCredentials({ token: await host.prompt("Secret", { secret: true }) });
      });
      await host.progress(1, 2, "Signing in");
      await host.log("signed in");
      return "Signed in.\n";
    });
    plugin.run();
    """#

  static let go = #"""
    package main

    import (
    	"fmt"
    	"strings"
    )

    func main() {
    	plugin := NewPlugin("bank", "1.0.0")
    	plugin.ListConnections = func(host *Host, status string) error {
    		fmt.Println("stdout of the plugin")
    		_, isStored, err := host.Credential("token")
    		if err != nil {
    			return err
    		}
    		state := map[bool]string{true: "enabled", false: "disabled"}[isStored]
    		return host.Send(Connection{ID: "main", Name: "Ünï \U0001F680 שלום", Status: state})
    	}
    	plugin.ActivateConnection = func(host *Host, id string, values JSON) (any, error) {
    		secret, err := host.Prompt("Secret", true)
    		if err != nil {
    			return nil, err
    		}
    		uri, err := host.BindRedirect("/callback")
    		if err != nil {
    			return nil, err
    		}
    		redirect, err := host.OpenRedirect("https://bank.test/authorize", uri, "st ate/1")
    		if err != nil {
    			return nil, err
    		}
    		if redirect.Parameters.Get("state") != "st ate/1" || !strings.Contains(uri, ":47823/") {
    			return nil, &PluginError{Code: "bad_response", Message: "the redirect is wrong"}
    		}
    		if err := host.SaveCredentials(map[string]string{"token": secret + redirect.Parameters.Get("code")}); err != nil {
    			return nil, err
    		}
    		return Connection{ID: id, Name: "Main", Status: "enabled"}, host.FinishRedirect(true)
    	}
    	plugin.Commands["login"] = func(host *Host, call Call) (string, error) {
    		isConfirmed, err := host.Confirm("Sign in?")
    		if err != nil || !isConfirmed {
    			return "", err
    		}
    		err = host.WithLock("login", func() error {
    			secret, err := host.Prompt("Secret", true)
    			if err != nil {
    				return err
    			}
    			return host.SaveCredentials(map[string]string{"token": secret})
    		})
    		if err != nil {
    			return "", err
    		}
    		if err := host.Progress(1, 2, "Signing in"); err != nil {
    			return "", err
    		}
    		return "Signed in.\n", host.Log("info", "signed in")
    	}
    	plugin.Run()
    }
    """#
}
