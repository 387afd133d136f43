import Dispatch
import Files
import Glibc

/// Waits until a folder that could not be opened may have changed, on its own thread.
///
/// It observes the deepest existing folder on the way to it, and ends after a minute in any case:
/// mounts and the targets of links cause no events there.
final class FolderArrival: Sendable {
  private static let maxWait: CInt = 60_000
  private static let mask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
  /// Readable when the wait was cancelled. Negative if the system has none.
  private let cancellation = EventCounter()
  /// Queue: waits until the folder may be there. Blocks in `poll`, a minute at most.
  private let queue = DispatchQueue(label: "folder arrival")

  /// Starts to wait.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the folder.
  ///   - isMissing: True if the folder did not exist. Then its existence ends the wait.
  ///   - body: Called once, unless the wait is cancelled before.
  init(of path: String, isMissing: Bool = true, _ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if wait(for: path, isMissing) { body() }
    }
  }

  /// Ends the wait.
  func cancel() { cancellation.signal() }

  /// Returns false if the wait was cancelled.
  private func wait(for path: String, _ isMissing: Bool) -> Bool {
    let (folder, name) = RootPath(path).placeOfReturn
    let events = Descriptor(owning: inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)))
    if events.raw >= 0 {
      inotify_add_watch(events.raw, folder, FolderArrival.mask)
      inotify_add_watch(events.raw, path, UInt32(IN_ATTRIB))
    }
    // A folder that appeared before the watch causes no event.
    if isMissing, access(path, F_OK) == 0 || RootPath(path).placeOfReturn != (folder, name) { return true }
    let deadline = ContinuousClock.now + .milliseconds(Int(FolderArrival.maxWait))
    while true {
      var requests = [
        pollfd(fd: cancellation.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: events.raw, events: Int16(POLLIN), revents: 0),
      ]
      let rest = max(0, (deadline - .now) / .milliseconds(1))
      let count = poll(&requests, 2, CInt(rest))
      if requests[0].revents != 0 { return false }
      if count == 0 || ContinuousClock.now >= deadline { return true }
      if count > 0, FolderArrival.mayHaveArrived(name, in: events.raw) { return true }
    }
  }

  /// Reads events. Returns true if one concerns the name, or a watched folder itself.
  private static func mayHaveArrived(_ name: [UInt8], in events: CInt) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var hasArrived = false
    while case let count = read(events, &buffer, buffer.count), count > 0 {
      var offset = 0
      let header = MemoryLayout<inotify_event>.size
      while offset + header <= count {
        let length = buffer.withUnsafeBytes {
          Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        }
        let end = min(count, offset + header + length)
        let found = buffer[(offset + header)..<end].prefix { $0 != 0 }
        hasArrived = hasArrived || found.isEmpty || found.elementsEqual(name)
        offset = end
      }
    }
    return hasArrived
  }
}
