import Files
import TestSupport
import Testing

@testable import Daemon

@Suite(.timeLimit(.minutes(1))) struct FolderArrivalTests {
  /// Waits for the folder `a/b` while an act happens.
  private func expectArrival(after act: (TemporaryFolder) throws -> Void, making: String = "") async throws {
    let folder = try TemporaryFolder()
    if !making.isEmpty { try folder.makeFolder(making) }
    let (arrivals, continuation) = AsyncStream<Void>.makeStream()
    let arrival = FolderArrival(of: "\(folder.path)/a/b", on: QueueExecutor("arrival")) {
      continuation.yield()
    }
    try act(folder)
    var iterator = arrivals.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    arrival.cancel()
  }

  @Test func `a folder that is made ends the wait`() async throws {
    try await expectArrival(after: { try $0.makeFolder("a/b") }, making: "a")
  }

  @Test func `a missing folder above it ends the wait when it is made`() async throws {
    try await expectArrival { try $0.makeFolder("a/b") }
  }

  @Test func `a folder that gets the name ends the wait`() async throws {
    try await expectArrival(after: { _ = try $0.shell("mv a/c a/b") }, making: "a/c")
  }
}
