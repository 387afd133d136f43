import Glibc
import TestSupport

/// System calls with names that are bytes. Failures are ignored, because the result is read from
/// the disk afterwards.
enum Disk {
  /// Writes parts with pauses between them, from one `open` to one `close`.
  ///
  /// - Parameter pause: the time before each part but the first, in microseconds.
  @discardableResult
  static func write(
    _ parts: [[UInt8]], to path: ExactText, _ flags: CInt = O_CREAT | O_TRUNC, pause: UInt32 = 0
  ) -> Bool {
    // Opening a FIFO would wait for a reader, and a link may lead out of the folder.
    let file = call(path) { open($0, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | flags, 0o644) }
    if file < 0 { return false }
    for (index, part) in parts.enumerated() {
      if index > 0, pause > 0 { usleep(pause) }
      var rest = part[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
    }
    close(file)
    return true
  }

  static func read(_ path: ExactText) -> [UInt8]? {
    let file = call(path) { open($0, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
    if file < 0 { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// Returns the bits of the file type; nil if there is no file.
  static func kind(_ path: ExactText) -> mode_t? { mode(path).map { $0 & S_IFMT } }

  static func mode(_ path: ExactText) -> mode_t? {
    var status = stat()
    return call(path) { lstat($0, &status) } == 0 ? status.st_mode : nil
  }

  /// Returns true for a folder, also through a link.
  static func isFolder(_ path: ExactText) -> Bool {
    // Only a folder has an entry `.`.
    kind(path + "/.") == S_IFDIR
  }

  static func names(in path: ExactText) -> [[UInt8]] {
    guard let folder = call(path, { opendir($0) }) else { return [] }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  static func makeFolders(_ path: ExactText) {
    if call(path, { mkdir($0, 0o755) }) == 0 || errno != ENOENT { return }
    guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return }
    makeFolders(ExactText(path.bytes[..<slash]))
    _ = call(path) { mkdir($0, 0o755) }
  }

  /// Removes a file, or a folder with its contents.
  static func remove(_ path: ExactText) {
    if kind(path) == S_IFDIR {
      for name in names(in: path) { remove(ExactText(path.bytes + [UInt8(ascii: "/")] + name)) }
      _ = call(path) { rmdir($0) }
    } else {
      _ = call(path) { unlink($0) }
    }
  }

  @discardableResult
  static func rename(_ path: ExactText, to other: ExactText) -> Bool {
    call(path, other) { Glibc.rename($0, $1) } == 0
  }

  static func exchange(_ path: ExactText, _ other: ExactText) {
    _ = call(path, other) { TestSupport.exchange($0, $1) }
  }

  static func call<Result>(_ path: ExactText, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // The array has at least the NUL, so it has a base address.
    (path.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      body($0.baseAddress.unsafelyUnwrapped)
    }
  }

  static func call<Result>(
    _ path: ExactText, _ other: ExactText, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
  ) -> Result {
    call(path) { path in call(other) { body(path, $0) } }
  }
}
