import Logging
import Printing
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct FolderServiceTests {
  @Test func `a request that comes after the end does not open the folder again`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let environment = DaemonEnvironment(version: "1", clock: WallClock.now, log: log)
    let configuration = DaemonConfiguration(file: "/config.yaml", folders: [])
    let daemon = DaemonService(configuration, socket: "/socket", environment) {
      () throws(ConfigurationFailure) in configuration
    }
    let service = FolderService(FolderConfiguration(path: folder.path), of: daemon)
    await service.firstAttempt()
    guard case .open = service.phase else { return #expect(Bool(false), "\(service.phase)") }
    service.request(.stop)
    service.request(.open)
    await service.stop()
    guard case .closed = service.phase else { return #expect(Bool(false), "\(service.phase)") }
  }
}
