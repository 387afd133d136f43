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
    let phases = Phases()
    let service = FolderService.start(FolderConfiguration(path: folder.path), environment, FolderClaims()) {
      phase in
      phases.record(phase)
    } onClose: { _ in
    }
    await service.firstAttempt()
    service.request(.stop)
    service.request(.open)
    await service.stop()
    #expect(phases.names == ["open", "closed"])
  }

  /// The phases of a folder, in order.
  private final class Phases: Sendable {
    private let recorded = Mutex<[String]>([])

    var names: [String] { recorded.withLock(\.self) }

    func record(_ phase: FolderService.Phase) {
      recorded.withLock { $0.append("\(phase)".prefix { $0.isLetter }.description) }
    }
  }
}
