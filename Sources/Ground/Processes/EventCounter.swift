import CLinux
import Files
import Glibc

/// A counter with which one thread wakes another from `poll(2)` or `epoll_wait(2)` (eventfd(2)).
package struct EventCounter: ~Copyable, Sendable {
  private let descriptor = Descriptor(owning: clinux_eventfd())

  /// Makes a counter. Its descriptor is negative if the system has none left; `errno` says why.
  package init() {}

  package var raw: CInt { descriptor.raw }

  package borrowing func signal() {
    var one: UInt64 = 1
    _ = write(descriptor.raw, &one, MemoryLayout.size(ofValue: one))
  }

  package borrowing func clear() {
    var count: UInt64 = 0
    _ = read(descriptor.raw, &count, MemoryLayout.size(ofValue: count))
  }
}
