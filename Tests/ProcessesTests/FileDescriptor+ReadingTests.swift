import Files
import Glibc
import Processes
import TestSupport
import Testing

struct FileDescriptorReadingTests {
  @Test func `a file is read to its end from its offset`() throws {
    let folder = try TemporaryFolder(["a": "0123456789"])
    let file = try Descriptor.open("\(folder.path)/a", O_RDONLY)
    #expect(lseek(file.raw, 8, SEEK_SET) == 8)
    #expect(try file.readAll() == Array("89".utf8))
  }

  @Test(arguments: [9, 10, 11]) func `a file with more bytes than allowed is not returned`(maximum: Int)
    throws
  {
    let folder = try TemporaryFolder(["a": "0123456789"])
    let file = try Descriptor.open("\(folder.path)/a", O_RDONLY)
    #expect(try file.readAll(upTo: maximum)?.count == (maximum < 10 ? nil : 10))
  }

  @Test func `a pipe that does not block takes and gives everything`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = Descriptor(owning: ends[0])
    for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    // More than a pipe holds, so both sides have to wait.
    let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let end = ends[1]
    let thread = Thread { try? Descriptor(owning: end).write(all: text) }
    #expect(try reader.readAll() == text)
    thread.join()
  }
}

/// A POSIX thread, so that a blocked test fails by its own time limit and not by a starved pool.
private final class Thread {
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { raw in
        Unmanaged<ThreadBody>.fromOpaque(raw.unsafelyUnwrapped).takeRetainedValue().body()
        return nil
      }, box)
  }

  func join() { pthread_join(thread, nil) }

  private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
