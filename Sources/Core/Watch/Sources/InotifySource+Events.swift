import CLinux
import Files
import Glibc

struct Inotify: ~Copyable {
  /// One event of the kernel. Its name is valid only while the event is handled.
  struct Event {
    struct Kinds: OptionSet {
      let rawValue: UInt32

      static let modified = Kinds(rawValue: 0x2)
      static let attributes = Kinds(rawValue: 0x4)
      static let closedAfterWriting = Kinds(rawValue: 0x8)
      static let movedFrom = Kinds(rawValue: 0x40)
      static let movedTo = Kinds(rawValue: 0x80)
      static let created = Kinds(rawValue: 0x100)
      static let deleted = Kinds(rawValue: 0x200)
      static let selfDeleted = Kinds(rawValue: 0x400)
      static let selfMoved = Kinds(rawValue: 0x800)
      static let unmounted = Kinds(rawValue: 0x2000)
      static let overflow = Kinds(rawValue: 0x4000)
      static let ignored = Kinds(rawValue: 0x8000)
      static let isDirectory = Kinds(rawValue: 0x4000_0000)

      // Options of a watch, from <sys/inotify.h>.
      static let onlyDirectories = Kinds(rawValue: 0x0100_0000)
      static let dontFollow = Kinds(rawValue: 0x0200_0000)
      static let excludeUnlinked = Kinds(rawValue: 0x0400_0000)
      static let addToMask = Kinds(rawValue: 0x2000_0000)
    }

    let watch: Int32
    let kinds: Kinds
    /// The number that links the two halves of a rename; 0 for all other events.
    let cookie: UInt32
    /// Empty if the event is about the watched folder itself.
    let name: UnsafeBufferPointer<UInt8>
  }

  let descriptor: Descriptor
  private let root: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
  private let backlog = Backlog()

  /// The events that were read and are not handled yet. The kernel's queue is short and handling is
  /// slower than reading, so a burst waits here, where it does not overflow.
  private final class Backlog {
    /// The bytes after which events stay in the kernel: some 400,000 events.
    static let maxCount = 16 << 20
    /// A backlog larger than this is released, so that one burst does not occupy memory for good.
    static let maxRetainedCapacity = 1 << 20

    var bytes: [UInt8] = []
    /// The start of the first event that is not handled yet.
    var start = 0
    var count: Int { bytes.count - start }

    func removeHandled() {
      if count == 0 {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Backlog.maxRetainedCapacity)
      } else if start > bytes.count / 2 {
        bytes.removeSubrange(..<start)
      } else {
        return
      }
      start = 0
    }
  }

  init(root: String) throws(WatchError) {
    let raw = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    if raw < 0 { throw .makingInotify(root, errno) }
    descriptor = Descriptor(owning: raw)
    self.root = root
  }

  deinit {
    buffer.deallocate()
  }

  /// Watches an open folder. It uses the descriptor, so that it watches the folder that will be
  /// listed even if a rename happens in between.
  func add(directory: Int32, at path: String, _ kinds: Event.Kinds, display: String) throws(WatchError)
    -> Int32
  {
    let kinds = kinds.union(.onlyDirectories)
    do {
      return try add("/proc/self/fd/\(directory)", kinds, display: display)
    } catch  where error.code == .notFound {
      // There is no /proc, as in a bare chroot.
      return try add(path, kinds, display: display)
    }
  }

  /// If the inode is watched already, the result is the known watch, and the kinds are added to it.
  func add(_ path: String, _ kinds: Event.Kinds, display: String) throws(WatchError) -> Int32 {
    let watch = retryOnInterrupt { inotify_add_watch(descriptor.raw, path, kinds.union(.addToMask).rawValue) }
    if watch < 0 { throw .watching(display, errno) }
    return watch
  }

  func remove(_ watch: Int32) {
    // Fails only if the kernel has dropped it already.
    inotify_rm_watch(descriptor.raw, watch)
  }

  /// The size in bytes of the events that are queued, here and in the kernel. An event is queued
  /// before the system call that causes it returns.
  var queuedBytes: Int { backlog.count + max(0, Int(clinux_readable_bytes(descriptor.raw))) }

  /// Handles at most one buffer of events (about 2,000), all of which happened before the call.
  /// Returns their number and their size in bytes; 0 if there are none.
  func read(_ handle: (Event) throws(WatchError) -> Void) throws(WatchError) -> (
    events: Int, bytes: Int
  ) {
    try fillBacklog()
    let bytes = backlog.bytes
    let first = backlog.start
    let end = min(bytes.count, first + buffer.count)
    var count = 0
    try bytes.withUnsafeBufferPointer { bytes throws(WatchError) in
      let raw = UnsafeRawBufferPointer(bytes)
      while backlog.start < end, let (event, size) = Self.event(in: raw, at: backlog.start) {
        // First, so that an error does not repeat the event.
        backlog.start += size
        count += 1
        try handle(event)
      }
    }
    return (count, backlog.start - first)
  }

  private func fillBacklog() throws(WatchError) {
    backlog.removeHandled()
    while backlog.count < Backlog.maxCount {
      let length = retryOnInterrupt { Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count) }
      if length < 0, errno != EAGAIN { throw .running("read", root, errno) }
      if length > 0 { backlog.bytes.append(contentsOf: buffer[..<length]) }
      // The next call reads the few events that may have come since.
      if length < buffer.count / 2 { return }
    }
  }

  private static func event(in raw: UnsafeRawBufferPointer, at offset: Int) -> (
    event: Event, size: Int
  )? {
    let nameStart = offset + MemoryLayout<inotify_event>.size
    guard nameStart <= raw.count else { return nil }
    let header = raw.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
    let nameEnd = nameStart + Int(header.len)
    guard nameEnd <= raw.count else { return nil }
    let padded = UnsafeRawBufferPointer(rebasing: raw[nameStart..<nameEnd]).assumingMemoryBound(
      to: UInt8.self)
    let name = UnsafeBufferPointer(rebasing: padded.prefix { $0 != 0 })
    let event = Event(
      watch: header.wd, kinds: Event.Kinds(rawValue: header.mask), cookie: header.cookie, name: name)
    return (event, nameEnd - offset)
  }
}

extension InotifySource {
  func read(at now: Instant, isDecisionDue: Bool) -> SourceReport {
    var count = 0
    var report = report(at: now) { () throws(WatchError) in
      examined = nil
      let read = try inotify.read { event throws(WatchError) in try handle(event) }
      count = read.events
      position += read.bytes
      eventCount += count
      if rootNeedsCheck { try checkRoot() }
      try checkGit()
      try retryIfDue()
    }
    report.isDrained = count == 0
    return report
  }

  private func handle(_ event: Inotify.Event) throws(WatchError) {
    let isExchange = event.isDeparture(from: arrival)
    arrival = event.kinds.contains(.movedTo) ? (event.watch, Array(event.name)) : nil
    if event.kinds.contains(.overflow) {
      overflowCount += 1
      return observe(.overflow)
    }
    if event.kinds.contains(.ignored) { return forget(event.watch) }
    if let trees = gitTrees[event.watch] {
      // Changes of the root before a lock disappeared were made under the lock.
      if rootNeedsCheck { try checkRoot() }
      for tree in trees { try handleGit(event, in: tree) }
    }
    if anchors.contains(event.watch), isAboutRoot(event) { rootNeedsCheck = true }
    for folder in table.paths(of: event.watch) { try handle(event, in: folder, isExchange: isExchange) }
  }

  /// Handles an event in a folder, for one of the folder's paths. With `isExchange`, the event before it
  /// let a file arrive at the same name. If two files exchange their names, the kernel reports that the
  /// first arrives and then that the second leaves: if there is a file, nothing vanished.
  private func handle(_ event: Inotify.Event, in folder: RelativePath, isExchange: Bool) throws(WatchError) {
    if event.name.isEmpty {
      if folder == .root { try handleRoot(event.kinds) }
      return
    }
    // First of all, so that the next events of the repository are observed.
    if DirectoryScan.isGit(event.name) { try findGit(folder, isNew: true) }
    let path = folder.appending(name: event.name)
    if event.kinds.contains(.isDirectory), filter.includesDirectory(path) { try handleFolder(path, event) }
    if filter.includesFile(path), !(isExchange && root.status(path) != nil) { handleEntry(path, event) }
  }

  /// The folder above the root may be a busy one: most of its events are about other entries.
  private func isAboutRoot(_ event: Inotify.Event) -> Bool {
    event.name.isEmpty || event.name.elementsEqual(nameAbove)
  }

  private func handleRoot(_ kinds: Inotify.Event.Kinds) throws(WatchError) {
    if !kinds.isDisjoint(with: [.selfDeleted, .selfMoved, .unmounted]) { rootNeedsCheck = true }
    if kinds.contains(.attributes) { try checkPermission(.root) }
  }

  private func handleEntry(_ path: RelativePath, _ event: Inotify.Event) {
    let kinds = event.kinds
    let isFolder = kinds.contains(.isDirectory)
    let change: SourceEvent.Change? =
      if kinds.contains(.created) {
        .created(isEmpty: !isFolder && wasEmpty(path))
      } else if kinds.contains(.modified) {
        .written(isEmpty: wasEmpty(path))
      } else if kinds.contains(.attributes) {
        .changed(isEmpty: !isFolder && wasEmpty(path))
      } else if kinds.contains(.closedAfterWriting) {
        .completed(isEmpty: wasEmpty(path))
      } else if kinds.contains(.movedTo) {
        .arrived(cookie: event.cookie)
      } else if kinds.contains(.deleted) || kinds.contains(.movedFrom) {
        .vanished(cookie: event.cookie)
      } else {
        nil
      }
    if let change { observe(change, of: .entry(path)) }
  }

  private func handleFolder(_ path: RelativePath, _ event: Inotify.Event) throws(WatchError) {
    let kinds = event.kinds
    if kinds.contains(.created) {
      try enter(path, listing: true)
    } else if kinds.contains(.movedTo) {
      try enter(path, listing: false)
      observe(.arrived(cookie: event.cookie), of: .subtree(path))
    } else if kinds.contains(.deleted) || kinds.contains(.movedFrom) {
      leave(path)
      // If two folders exchange their names, the arrival of the second is reported before its
      // departure: watch what is there now.
      try enter(path, listing: false)
      observe(.vanished(cookie: event.cookie), of: .subtree(path))
    } else if kinds.contains(.attributes) {
      try checkPermission(path)
    }
  }

  /// Reports a folder that lost or regained its permissions, but not one that was only touched.
  private func checkPermission(_ path: RelativePath) throws(WatchError) {
    let wasReadable = table.contains(path) && !unreadable.contains(path)
    if root.isReadable(path) {
      if wasReadable { return }
      try enter(path, listing: false)
    } else {
      unreadable.insert(path)
    }
    observe(.changed(isEmpty: false), of: .subtree(path))
  }

  /// Returns true if an empty regular file was there after the events of this call.
  private func wasEmpty(_ path: RelativePath) -> Bool {
    if let examined, examined.path == path { return examined.isEmpty }
    let isEmpty = isEmpty(path)
    examined = (path, isEmpty)
    return isEmpty
  }

  func isEmpty(_ path: RelativePath) -> Bool {
    root.status(path)?.isEmptyFile ?? false
  }
}

extension Inotify.Event {
  /// Returns true if a file, not a folder, lost its name to one that had just arrived.
  fileprivate func isDeparture(from arrival: (watch: Int32, name: [UInt8])?) -> Bool {
    guard let arrival, kinds.contains(.movedFrom), !kinds.contains(.isDirectory) else { return false }
    return arrival.watch == watch && name.elementsEqual(arrival.name)
  }
}
