import Files
import Glibc

/// The mounts of the system. A mount hides a folder and an unmount shows it again, both without an
/// event of inotify.
final class MountTable {
  /// Ready for `POLLPRI` after any mount or unmount (proc(5)).
  let descriptor: Descriptor
  private var known: Set<Mount> = []

  struct Mount: Hashable {
    let id: Int
    let point: [UInt8]
  }

  /// Opens the table; `nil` if there is no `/proc`.
  init?() {
    let raw = retryOnInterrupt { open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
    if raw < 0 { return nil }
    descriptor = Descriptor(owning: raw)
  }

  /// Returns true if a mount on the way to the folder, or in it, was added or removed since the last call.
  func hasChanged(around folder: String) -> Bool {
    let folder = Array(folder.utf8)
    let found = read().filter { Self.isPrefix($0.point, of: folder) || Self.isPrefix(folder, of: $0.point) }
    defer { known = found }
    return found != known
  }

  /// Reads `mountinfo`: the first field of each line is the id, the fifth the path.
  static func mounts(in text: some Sequence<UInt8>) -> Set<Mount> {
    var mounts: Set<Mount> = []
    for line in Array(text).split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 5, let id = Int(String(decoding: fields[0], as: UTF8.self)) else { continue }
      mounts.insert(Mount(id: id, point: unescaped(fields[4])))
    }
    return mounts
  }

  /// Replaces the escapes of blanks, line breaks and backslashes: a backslash and three octal digits.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"),
        let escaped = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(escaped)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func isPrefix(_ folder: [UInt8], of path: [UInt8]) -> Bool {
    path.starts(with: folder)
      && (path.count == folder.count || folder.last == UInt8(ascii: "/")
        || path[folder.count] == UInt8(ascii: "/"))
  }

  private func read() -> Set<Mount> {
    lseek(descriptor.raw, 0, SEEK_SET)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = retryOnInterrupt({ Glibc.read(descriptor.raw, &buffer, buffer.count) }), count > 0
    {
      text += buffer[..<Int(count)]
    }
    return Self.mounts(in: text)
  }
}
