import Glibc
import Serve
import TestSupport
import Testing

/// The files of tokens, which no other user may write or read.
@Suite struct TokenFileTests {
  @Test func `A missing file is made with a token that only its user can read`() throws {
    let folder = try TemporaryFolder()
    let file = PrivateFile(token: "\(folder.path)/token")
    #expect(try file.readToken() == nil)
    let token = try file.readOrMakeToken()
    #expect(token.count == 32)
    #expect(try file.readOrMakeToken() == token)
    #expect(try folder.shell("stat -c %a token") == "600\n")
    try file.replace(withToken: "abcdefghijklmnop")
    #expect(try file.readToken() == "abcdefghijklmnop")
    #expect(try folder.shell("stat -c %a token; ls | wc -l") == "600\n1\n")
    file.remove(token: "another")
    #expect(try file.readToken() != nil)
    file.remove(token: "abcdefghijklmnop")
    #expect(try file.readToken() == nil)
  }

  @Test(arguments: [
    "echo 0123456789abcdef > token; chmod 640 token",
    "echo 0123456789abcdef > other; chmod 600 other; ln -s other token",
    "mkfifo -m 600 token",
    "mkdir token", "umask 077; echo short > token", "umask 077; : > token",
    "umask 077; printf '0123456789abcdef\\n0123456789abcdef' > token",
    "umask 077; printf '%04097d' 0 > token",
  ])
  func `A file that others may use, or without a token, is refused`(script: String) throws {
    let folder = try TemporaryFolder()
    try folder.shell(script)
    #expect(throws: HTTPServerError.self) { try PrivateFile(token: "\(folder.path)/token").readToken() }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root")) func `A file of another user is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.shell("umask 077; echo 0123456789abcdef > token; chown 12345 token")
    #expect(throws: HTTPServerError.self) { try PrivateFile(token: "\(folder.path)/token").readToken() }
  }

  @Test func `The folder of tokens belongs to its user alone`() throws {
    let folder = try TemporaryFolder()
    #expect(
      try PrivateFolder(environment: ["XDG_RUNTIME_DIR": folder.path]).path == "\(folder.path)/notes-watch")
    #expect(try folder.shell("stat -c %a notes-watch") == "700\n")
    try folder.shell("chmod 755 notes-watch")
    #expect(throws: HTTPServerError.self) {
      try PrivateFolder(environment: ["XDG_RUNTIME_DIR": folder.path])
    }
    try folder.shell("rmdir notes-watch; mkdir -m 700 other; ln -s other notes-watch")
    #expect(throws: HTTPServerError.self) {
      try PrivateFolder(environment: ["XDG_RUNTIME_DIR": folder.path])
    }
  }
}
