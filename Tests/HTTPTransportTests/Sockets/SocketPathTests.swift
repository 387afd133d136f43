import Glibc
import Serve
import Testing

@testable import HTTPTransport

@Suite struct SocketPathTests {
  @Test func `the variable comes before the folder of the session`() throws {
    let both = ["NOTES_WATCH_SOCKET": "/a/b.sock", "XDG_RUNTIME_DIR": "/run/me"]
    #expect(try SocketPath(environment: both).description == "/a/b.sock")
    #expect(
      try SocketPath(environment: ["XDG_RUNTIME_DIR": "/run/me"]).description
        == "/run/me/notes-watch/daemon.sock")
  }

  @Test func `a relative folder of the session is ignored`() {
    let path = try? SocketPath(environment: ["XDG_RUNTIME_DIR": "run"])
    #expect(path == nil || path?.description == "/run/user/\(getuid())/notes-watch/daemon.sock")
  }

  @Test(arguments: ["", "a.sock", "./a", "/a\0b"]) func `a path that is not absolute is refused`(path: String)
  {
    #expect(throws: HTTPServerError.self) { try SocketPath(path) }
  }

  @Test func `a path has at most 107 bytes`() throws {
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(try SocketPath(longest).description == longest)
    let error = #expect(throws: HTTPServerError.self) { try SocketPath(longest + "a") }
    #expect(error?.code == .badPath)
    #expect(error?.description.contains("108 bytes, but the system allows 107") == true)
  }

  @Test(arguments: [("/a/b.sock", "/a"), ("/b.sock", "/"), ("/a/ü/b", "/a/ü")])
  func `the folder is the part before the last slash`(path: String, folder: String) throws {
    #expect(try SocketPath(path).folder == folder)
  }
}
