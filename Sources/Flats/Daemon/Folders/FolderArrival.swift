import Dispatch
import Files
import Glibc
import Synchronization

/// Waits until a folder that could not be opened may have changed.
///
/// It observes the deepest existing folder on the way to it, and ends after a minute in any case:
/// mounts and the targets of links cause no events there.
final class FolderArrival: Sendable {
  private static let maxWait = Duration.seconds(60)
  private static let mask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
  /// The events of the folder; nil if the system has no more of them.
  private nonisolated(unsafe) let source: (any DispatchSourceRead)?  // Any thread may use a dispatch source.
  private let isOver = Atomic(false)

  /// If the folder `isMissing`, its existence ends the wait. `body` is called once, unless the wait is
  /// cancelled.
  init(
    of path: String, isMissing: Bool = true, on queue: QueueExecutor, _ body: @escaping @Sendable () -> Void
  ) {
    let (folder, name) = RootPath(path).placeOfReturn
    let events = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    source = events < 0 ? nil : queue.events(of: events)
    let end: @Sendable () -> Void = { [weak self] in self?.end(body) }
    if let source {
      inotify_add_watch(events, folder, FolderArrival.mask)
      inotify_add_watch(events, path, UInt32(IN_ATTRIB))
      source.setEventHandler { if FolderArrival.mayHaveArrived(name, in: events) { end() } }
      source.setCancelHandler { close(events) }
      source.activate()
    }
    // A folder that appeared before the watch causes no event.
    if isMissing, access(path, F_OK) == 0 || RootPath(path).placeOfReturn != (folder, name) {
      queue.perform(end)
    }
    queue.run(after: FolderArrival.maxWait, end)
  }

  deinit { source?.cancel() }

  func cancel() {
    isOver.store(true, ordering: .relaxed)
    source?.cancel()
  }

  private func end(_ body: () -> Void) {
    if isOver.exchange(true, ordering: .relaxed) { return }
    source?.cancel()
    body()
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
