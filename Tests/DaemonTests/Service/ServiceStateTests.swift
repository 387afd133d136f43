import Testing

@testable import Daemon

@Suite struct ServiceStateTests {
  @Test func `states with different sentences differ`() {
    #expect(ServiceState.status("a") != ServiceState.status("b"))
  }
}
