import Glibc
import LinuxFiles
package import SystemPackage

/// A file with the token of programs. Only its user can read it.
package struct TokenFile: Sendable {
  /// The path.
  package let path: String

  /// The smallest number of characters of a token.
  private static let minLength = 16
  /// The largest size of the file in bytes.
  private static let maxSize = 4_096

  /// Names a file.
  package init(_ path: String) { self.path = path }

  /// Reads the token.
  ///
  /// - Returns: nil if there is no file.
  /// - Throws: `TokenFileError` if another user may have written or read it, or if it has no token.
  package func read() throws(TokenFileError) -> String? {
    var status = stat()
    let bytes: [UInt8]
    do throws(Errno) {
      let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try systemCall { fstat(file.raw, &status) }
      bytes = status.st_mode & S_IFMT == S_IFREG ? file.prefix(TokenFile.maxSize + 1) : []
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw TokenFileError("The token file \(path) cannot be read: \(error.reason).")
    }
    try check(status)
    guard bytes.count <= TokenFile.maxSize else {
      throw TokenFileError("The token file \(path) is larger than \(TokenFile.maxSize) bytes. Write one line with the token.")
    }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.last == "\n" { text.removeLast() }
    guard text.count >= TokenFile.minLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw TokenFileError(
        "The token file \(path) has no token. Write one line with \(TokenFile.minLength) or more letters and digits, or remove it.")
    }
    return text
  }

  /// Writes a token to a new file that takes the place of an older one.
  package func replace(with token: String) throws(TokenFileError) {
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    do throws(Errno) {
      try TokenFile.write(token, to: temporary)
      try systemCall { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw TokenFileError("The token file \(path) cannot be written: \(error.reason).")
    }
  }

  /// Returns the token of the file. If there is no file, it is made with a new token.
  package func readOrMake() throws(TokenFileError) -> String {
    if let token = try read() { return token }
    let token = AccessTokens.random()
    do throws(Errno) {
      try TokenFile.write(token, to: path)
    } catch {
      throw TokenFileError("The token file \(path) cannot be written: \(error.reason).")
    }
    return token
  }

  /// Removes the file if it still has a token.
  package func remove(_ token: String) {
    if (try? read()) == token { unlink(path) }
  }

  /// Writes a line to a new file that only this user can read.
  package static func write(_ line: String, to path: String) throws(Errno) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try file.write(all: Array("\(line)\n".utf8))
  }

  private func check(_ status: stat) throws(TokenFileError) {
    guard status.st_mode & S_IFMT == S_IFREG else { throw TokenFileError("The token file \(path) is not a file.") }
    guard status.st_uid == geteuid() else {
      throw TokenFileError("The token file \(path) belongs to another user (uid \(status.st_uid)). Use one of your own.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw TokenFileError("Other users may use the token file \(path). Run: chmod 600 \(path)")
    }
  }
}

/// The reason why a token file, or its folder, cannot be used.
package struct TokenFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One or two sentences: what is wrong, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }
}
