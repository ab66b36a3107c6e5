import CSQLite
import Testing

@Suite struct NetworkFolderTests {
  @Test(arguments: [0x6969, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997] as [UInt])
  func recognizesNetworkFileSystems(type: UInt) {
    #expect(csqlite_is_network_type(type) == 1)
  }

  @Test(arguments: [0xef53, 0x9123_683e, 0x5846_5342, 0x0102_1994, 0x794c_7630] as [UInt])
  func recognizesLocalFileSystems(type: UInt) {
    #expect(csqlite_is_network_type(type) == 0)
  }

  @Test func missingFolderIsLocal() {
    #expect(csqlite_is_network_folder("/no/such/folder") == 0)
  }
}
