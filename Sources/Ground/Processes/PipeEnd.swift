import CLinux
import Files
import Glibc
import Synchronization
package import SystemPackage

/// One end of a pipe between this program and a child. It is closed once, or when it is released.
package final class PipeEnd: Sendable {
  package let raw: CInt
  private let isClosed = Atomic(false)

  /// The usual capacity of a pipe, and the size of a read.
  package static let capacity = 1 << 16

  private init(_ raw: CInt) {
    self.raw = raw
  }

  deinit { close() }

  package static func makePipe() throws(Errno) -> (reading: PipeEnd, writing: PipeEnd) {
    var ends: [CInt] = [-1, -1]
    try systemCall { clinux_pipe(&ends) }
    return (PipeEnd(ends[0]), PipeEnd(ends[1]))
  }

  /// Makes reading from this end, or writing to it, return at once. The other end is not changed.
  package func makeNonBlocking() { _ = fcntl(raw, F_SETFL, O_NONBLOCK) }

  package func close() {
    if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { Glibc.close(raw) }
  }

  package var isOpen: Bool { !isClosed.load(ordering: .acquiring) }
}
