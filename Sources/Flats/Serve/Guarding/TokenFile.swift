import Glibc
package import SystemPackage

/// A file with the token of programs. Only its user can read it.
package struct TokenFile: Sendable {
  private let file: PrivateFile

  private static let minLength = 16
  private static let maxSize = 4_096

  package init(_ path: String) {
    file = PrivateFile(path: path, noun: "token file", maxSize: TokenFile.maxSize)
  }

  package var path: String { file.path }

  /// Reads the token.
  ///
  /// - Returns: nil if there is no file.
  /// - Throws: `HTTPServerError` if another user may have written or read it, or if it has no token.
  package func read() throws(HTTPServerError) -> String? {
    guard let bytes = try file.read() else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.last == "\n" { text.removeLast() }
    guard text.count >= TokenFile.minLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HTTPServerError(
        .denied,
        "The token file \(path) has no token. Write one line with \(TokenFile.minLength) or more letters and digits, or remove it."
      )
    }
    return text
  }

  /// Writes a token to a new file that takes the place of an older one.
  package func replace(with token: String) throws(HTTPServerError) {
    try file.replace(with: Array("\(token)\n".utf8))
  }

  /// Returns the token of the file. If there is no file, it is made with a new token.
  package func readOrMake() throws(HTTPServerError) -> String {
    if let token = try read() { return token }
    let token = AccessTokens.random()
    do throws(Errno) {
      try TokenFile.write(token, to: path)
    } catch {
      throw file.unwritable(error)
    }
    return token
  }

  /// Removes the file if it still has a token.
  package func remove(_ token: String) {
    if (try? read()) == token { unlink(path) }
  }

  /// Writes a line to a new file that only this user can read.
  package static func write(_ line: String, to path: String) throws(Errno) {
    try PrivateFile.write(Array("\(line)\n".utf8), to: path)
  }
}
