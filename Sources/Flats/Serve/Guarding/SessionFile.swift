import Glibc

/// The file with the sessions of one server, so that they survive a restart. It has digests of the
/// cookies and their ends, and a digest of the token of programs: another token ends all sessions.
///
/// The first line names the form, the second one the token. Each further line is a session.
package struct SessionFile {
  struct Entry: Hashable {
    let digest: String
    /// The end in seconds since 1970.
    let end: Int64
  }

  private static let form = "notes-watch sessions 1"
  /// The largest size of the file in bytes, which is more than `AccessTokens.maxSessions` take.
  private static let maxSize = 64 << 10

  private let file: PrivateFile
  private let token: String

  /// `token` is the one that the user chose for programs; nil if each run has its own.
  package init(_ path: String, token: String?) {
    file = PrivateFile(path: path, noun: "session file", maxSize: SessionFile.maxSize)
    self.token = token.map { SHA256.digest(of: Array("token \($0)".utf8)) } ?? "-"
  }

  /// Reads the sessions. Removes a file of another token; refuses one that is damaged, or that others may
  /// have written.
  func read() throws(HTTPServerError) -> [Entry] {
    guard let bytes = try file.read() else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3, lines[0] == SessionFile.form, lines.last == "" else { throw damaged }
    guard lines[1] == "token \(token)" else {
      unlink(file.path)
      return []
    }
    let entries = lines[2...].dropLast().map(SessionFile.entry)
    guard !entries.contains(nil) else { throw damaged }
    return entries.compactMap(\.self)
  }

  private static func entry(_ line: Substring) -> Entry? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0].utf8.count == 64, words[0].allSatisfy(\.isHexDigit),
      let end = Int64(words[1])
    else { return nil }
    return Entry(digest: String(words[0]), end: end)
  }

  private var damaged: HTTPServerError {
    HTTPServerError(.denied, "The session file \(file.path) is damaged. It was not used.")
  }

  func write(_ entries: [Entry]) throws(HTTPServerError) {
    let lines = [SessionFile.form, "token \(token)"] + entries.map { "\($0.digest) \($0.end)" }
    PrivateFolder.makeParents(of: file.path)
    try file.replace(with: Array(lines.map { "\($0)\n" }.joined().utf8))
  }
}
