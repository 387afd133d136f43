import CLinux
import Glibc
import LinuxFiles

/// One event of the kernel. Its name is valid only while the event is handled.
struct InotifyEvent {
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

/// An inotify instance.
struct Inotify: ~Copyable {
  let descriptor: Descriptor
  private let root: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)

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
  func add(directory: Int32, at path: String, _ kinds: InotifyEvent.Kinds, display: String) throws(WatchError) -> Int32 {
    let kinds = kinds.union(.onlyDirectories)
    do {
      return try add("/proc/self/fd/\(directory)", kinds, display: display)
    } catch  where error.code == .notFound {
      // There is no /proc, as in a bare chroot.
      return try add(path, kinds, display: display)
    }
  }

  /// Watches a path. If its inode is watched already, the result is the known watch, and the kinds
  /// are added to it.
  func add(_ path: String, _ kinds: InotifyEvent.Kinds, display: String) throws(WatchError) -> Int32 {
    let watch = retryOnInterrupt { inotify_add_watch(descriptor.raw, path, kinds.union(.addToMask).rawValue) }
    if watch < 0 { throw .watching(display, errno) }
    return watch
  }

  func remove(_ watch: Int32) {
    // Fails only if the kernel has dropped it already.
    inotify_rm_watch(descriptor.raw, watch)
  }

  /// The size in bytes of the events that the kernel has queued. An event is queued before the
  /// system call that causes it returns.
  var queuedBytes: Int { max(0, Int(clinux_readable_bytes(descriptor.raw))) }

  /// Reads once, at most one buffer (about 2,000 events). Returns the number of events and their
  /// size in bytes; 0 if there are none.
  func read(_ handle: (InotifyEvent) throws(WatchError) -> Void) throws(WatchError) -> (events: Int, bytes: Int) {
    var length = -1
    length = retryOnInterrupt { Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count) }
    if length < 0 {
      if errno == EAGAIN { return (0, 0) }
      throw .running("read", root, errno)
    }
    var offset = 0, count = 0
    while offset + MemoryLayout<inotify_event>.size <= length {
      let header = buffer.load(fromByteOffset: offset, as: inotify_event.self)
      offset += MemoryLayout<inotify_event>.size
      let padded = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + Int(header.len)]).assumingMemoryBound(to: UInt8.self)
      let name = UnsafeBufferPointer(rebasing: padded.prefix { $0 != 0 })
      try handle(InotifyEvent(watch: header.wd, kinds: InotifyEvent.Kinds(rawValue: header.mask), cookie: header.cookie, name: name))
      offset += Int(header.len)
      count += 1
    }
    return (count, length)
  }
}
