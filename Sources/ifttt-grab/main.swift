import PluginProtocol
import World

ProcessMemory.hide()
PluginServer(GrabProvider()).run()
