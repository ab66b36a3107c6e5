import PluginProtocol

PluginServer(GrabProvider()).run()
