import Foundation
import Glibc
import TestSupport

/// A running `notes-watch serve` that curl asks. It is killed with the last reference.
final class CurledServer {
  /// The folder with the served folder `data`, the token and the address.
  let folder: TemporaryFolder
  private let process: pid_t
  let address: String

  struct Answer {
    let status: Int
    /// The head in lower case.
    let head: String
    let body: String
    /// The version of what was asked for; empty without one.
    let tag: String
  }

  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("data/\($0)", $1) }))
    try folder.shell(
      "mkdir -p data; cd data; git init -q -b main; git add -A; git commit -q --allow-empty -m first")
    try folder.shell("mkdir -m 700 run")
    let words = ["serve", "data", "--listen", "127.0.0.1:0", "--token-file", "token"]
    let environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": "\(folder.path)/run",
    ]
    let spawned = try Spawned(
      "/bin/sh", ["-c", "exec \"$@\" >url 2>log", "sh", BuiltProgram.path] + words, environment: environment,
      folder: folder.path,
      hasInput: false)
    close(spawned.output)
    close(spawned.error)
    process = spawned.process
    let limit = 800 * Patience.factor
    try folder.shell(
      "i=0; until [ -s url ]; do i=$((i + 1)); [ $i -lt \(limit) ] || { cat log; exit 1; }; sleep 0.05; done")
    address = try Shell.run("sed -n 's|^\\(http://[^/]*\\)/.*|\\1|p' url", in: folder.path)
      .trimmingCharacters(in: .newlines)
    try folder.shell("(umask 077; printf 'Authorization: Bearer %s\\n' \"$(cat token)\" > auth)")
  }

  deinit {
    kill(-process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Sends a request.
  func request(_ method: String, _ target: String, _ fields: [String] = [], _ body: String? = nil) throws
    -> Answer
  {
    try curl(
      target, ["-X", method] + fields.flatMap { ["-H", $0] } + (body.map { ["--data-binary", $0] } ?? []))
  }

  /// Runs curl with further arguments.
  ///
  /// - Parameter token: The field with the token.
  func curl(_ target: String, _ arguments: [String], token: String = "@auth") throws -> Answer {
    let words = (["-H", token] + arguments + [address + target]).map {
      "'\($0.replacing("'", with: "'\\''"))'"
    }.joined(separator: " ")
    let status = try Shell.run(
      "curl -s -m 30 --path-as-is -D head -o body -w '%{http_code}' \(words)", in: folder.path)
    let head = try Shell.run("tr 'A-Z' 'a-z' < head", in: folder.path)
    let tag = try Shell.run("sed -n 's/^etag: \\([^\r]*\\).*/\\1/Ip' head", in: folder.path)
      .trimmingCharacters(in: .newlines)
    return Answer(
      status: Int(status) ?? 0, head: head, body: try Shell.run("cat body", in: folder.path), tag: tag)
  }

  /// A stream that curl writes to a file. It is ended with the last reference.
  final class Stream {
    private let folder: TemporaryFolder

    fileprivate init(_ folder: TemporaryFolder) { self.folder = folder }

    deinit { _ = try? folder.shell("kill $(cat events.pid)") }

    /// What has arrived.
    var text: String { (try? folder.bytes(of: "events")).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Waits until a text has arrived, and returns everything.
    func wait(for text: String) throws -> String {
      let limit = 800 * Patience.factor
      try folder.shell(
        "i=0; until grep -qF '\(text)' events; do i=$((i + 1)); [ $i -lt \(limit) ] || { cat events; exit 1; }; sleep 0.05; done"
      )
      return self.text
    }
  }

  /// Opens a stream, and waits until a text has arrived.
  func stream(_ target: String, until text: String) throws -> Stream {
    try folder.shell(
      "curl -sN -m 120 -H @auth '\(address)\(target)' > events 2>/dev/null & echo $! > events.pid")
    let stream = Stream(folder)
    _ = try stream.wait(for: text)
    return stream
  }
}
