import Files
import Glibc
package import SystemPackage

/// A small file that only this user can read or write.
package struct PrivateFile {
  package let path: String
  /// The kind of the file, for messages: `token file`.
  let noun: String
  /// The largest size in bytes that is read.
  let maxSize: Int

  /// Reads the file; nil if there is none. Refuses one that others may have written or read, or that is too
  /// large.
  func read() throws(HTTPServerError) -> [UInt8]? {
    var status = stat()
    let bytes: [UInt8]
    do throws(Errno) {
      let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try systemCall { fstat(file.raw, &status) }
      bytes = status.st_mode & S_IFMT == S_IFREG ? file.prefix(maxSize + 1) : []
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw HTTPServerError(.denied, "The \(noun) \(path) cannot be read: \(error.reason).")
    }
    try check(status)
    guard bytes.count <= maxSize else {
      throw HTTPServerError(.denied, "The \(noun) \(path) is larger than \(maxSize) bytes.")
    }
    return bytes
  }

  /// Writes a new file that takes the place of an older one.
  func replace(with bytes: [UInt8]) throws(HTTPServerError) {
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    do throws(Errno) {
      try PrivateFile.write(bytes, to: temporary)
      try systemCall { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw unwritable(error)
    }
  }

  private func unwritable(_ error: Errno) -> HTTPServerError {
    HTTPServerError(.denied, "The \(noun) \(path) cannot be written: \(error.reason).")
  }

  /// Writes a new file that only this user can read.
  package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try file.write(all: bytes)
  }

  private func check(_ status: stat) throws(HTTPServerError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HTTPServerError(.denied, "The \(noun) \(path) is not a file.")
    }
    guard status.st_uid == geteuid() else {
      throw HTTPServerError(
        .denied, "The \(noun) \(path) belongs to another user (uid \(status.st_uid)). Use one of your own.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw HTTPServerError(.denied, "Other users may use the \(noun) \(path). Run: chmod 600 \(path)")
    }
  }
}

/// A file with the token of programs: one line.
extension PrivateFile {
  private static let minLength = 16

  package init(token path: String) { self.init(path: path, noun: "token file", maxSize: 4_096) }

  /// Reads the token; nil if there is no file. Refuses one that others may have written or read.
  package func readToken() throws(HTTPServerError) -> String? {
    guard let bytes = try read() else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.last == "\n" { text.removeLast() }
    guard text.count >= PrivateFile.minLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HTTPServerError(
        .denied,
        "The token file \(path) has no token. Write one line with \(PrivateFile.minLength) or more letters and digits, or remove it."
      )
    }
    return text
  }

  package func replace(withToken token: String) throws(HTTPServerError) {
    try replace(with: Array("\(token)\n".utf8))
  }

  package func readOrMakeToken() throws(HTTPServerError) -> String {
    if let token = try readToken() { return token }
    let token = AccessTokens.random()
    do throws(Errno) {
      try PrivateFile.write(Array("\(token)\n".utf8), to: path)
    } catch {
      throw unwritable(error)
    }
    return token
  }

  /// Removes the file if it still has a token.
  package func remove(token: String) {
    if (try? readToken()) == token { unlink(path) }
  }
}
