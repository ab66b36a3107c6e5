import Plugins
import Testing
import World

@Suite struct PluginFoldersTests {
  @Test func bundledPluginsAreBesideTheProgram() {
    let folders = PluginFolders(directories: AppDirectories(all: "/home/kai/.ifttt"), program: "/usr/local/bin/ifttt")
    #expect(folders == PluginFolders(installed: "/home/kai/.ifttt/plugins", bundled: "/usr/local/libexec/ifttt"))
  }

  @Test func anUnknownProgramLocationHasNoBundledPlugins() {
    #expect(PluginFolders(directories: AppDirectories(all: "/data"), program: nil).bundled == nil)
    #expect(PluginFolders(directories: AppDirectories(all: "/data"), program: "bin/ifttt").bundled == nil)
  }
}
