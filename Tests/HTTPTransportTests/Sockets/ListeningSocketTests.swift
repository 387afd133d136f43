import CLinux
import Files
import Glibc
import Serve
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct ListeningSocketTests {
  private static func home() throws -> TemporaryFolder {
    let home = try TemporaryFolder()
    chmod(home.path, 0o700)
    return home
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private static func code(_ body: () throws -> Void) -> HTTPServerError.Code? {
    do { try body() } catch { return (error as? HTTPServerError)?.code }
    return nil
  }

  @Test func `only this user may connect`() throws {
    let home = try Self.home()
    let old = umask(0)
    defer { umask(old) }
    let path = try SocketPath("\(home.path)/new/d.sock")
    let socket = try ListeningSocket(at: path)
    #expect(Self.mode("\(home.path)/new") == 0o700)
    #expect(Self.mode(path.description) == 0o600)
    socket.close()
    #expect(access(path.description, F_OK) != 0)
  }

  @Test func `a second daemon names the first one`() throws {
    let path = try SocketPath("\(try Self.home().path)/d.sock")
    _ = mkdir(path.folder, 0o700)
    let first = try ListeningSocket(at: path)
    let error = #expect(throws: HTTPServerError.self) { try ListeningSocket(at: path) }
    #expect(error?.code == .alreadyRunning)
    #expect(error?.description.contains("pid \(getpid())") == true)
    _ = try SocketClient(path.description)
    first.close()
    try ListeningSocket(at: path).close()
    _ = try? Shell.run("rm -rf '\(path.folder)'", in: "/")
  }

  @Test func `a socket that nobody serves is replaced`() throws {
    let home = try Self.home()
    let path = try SocketPath("\(home.path)/d.sock")
    let raw = clinux_unix_socket(0)
    #expect(clinux_unix_bind(raw, path.description) == 0)
    close(raw)
    let socket = try ListeningSocket(at: path)
    _ = try SocketClient(path.description)
    socket.close()
  }

  @Test func `a socket that another program serves is not touched`() throws {
    let home = try Self.home()
    let path = try SocketPath("\(home.path)/d.sock")
    let other = Descriptor(owning: clinux_unix_socket(0))
    #expect(clinux_unix_bind(other.raw, path.description) == 0)
    #expect(listen(other.raw, 1) == 0)
    #expect(Self.code { _ = try ListeningSocket(at: path) } == .alreadyRunning)
    _ = try SocketClient(path.description)
  }

  @Test func `something that is not a socket is refused`() throws {
    let home = try Self.home()
    try home.write("text", to: "d.sock")
    #expect(Self.code { _ = try ListeningSocket(at: SocketPath("\(home.path)/d.sock")) } == .badPath)
    #expect(try home.bytes(of: "d.sock") == Array("text".utf8))
  }

  @Test(arguments: [0o755, 0o770, 0o701] as [mode_t]) func `a folder that others may use is refused`(
    mode: mode_t
  ) throws {
    let home = try Self.home()
    chmod(home.path, mode)
    #expect(Self.code { _ = try ListeningSocket(at: SocketPath("\(home.path)/d.sock")) } == .denied)
  }

  @Test(.enabled(if: getuid() == 0, "needs root")) func `what belongs to another user is refused`() throws {
    let home = try Self.home()
    let path = try SocketPath("\(home.path)/d.sock")
    let raw = clinux_unix_socket(0)
    #expect(clinux_unix_bind(raw, path.description) == 0)
    close(raw)
    #expect(lchown(path.description, 12_345, 12_345) == 0)
    #expect(Self.code { _ = try ListeningSocket(at: path) } == .denied)
    #expect(access(path.description, F_OK) == 0)
    #expect(lchown(home.path, 12_345, 12_345) == 0)
    #expect(Self.code { _ = try ListeningSocket(at: path) } == .denied)
    #expect(lchown(home.path, 0, 0) == 0)
  }

  @Test func `a lock that is a link is refused`() throws {
    let home = try Self.home()
    try home.write("mine", to: "victim")
    try home.link("d.sock.lock", to: "\(home.path)/victim")
    #expect(Self.code { _ = try ListeningSocket(at: SocketPath("\(home.path)/d.sock")) } == .system)
    #expect(try home.bytes(of: "victim") == Array("mine".utf8))
  }

  @Test func `only the daemon's own socket is removed at the end`() throws {
    let home = try Self.home()
    let path = try SocketPath("\(home.path)/d.sock")
    let socket = try ListeningSocket(at: path)
    unlink(path.description)
    let other = Descriptor(owning: clinux_unix_socket(0))
    #expect(clinux_unix_bind(other.raw, path.description) == 0)
    socket.close()
    #expect(access(path.description, F_OK) == 0)
  }

  @Test func `of daemons that start at once exactly one serves the socket`() async throws {
    let home = try Self.home()
    let path = try SocketPath("\(home.path)/d.sock")
    for _ in 0..<20 {
      // A stale socket makes the race worse.
      let raw = clinux_unix_socket(0)
      _ = clinux_unix_bind(raw, path.description)
      close(raw)
      let sockets = await withTaskGroup(of: ListeningSocket?.self) { group in
        for _ in 0..<8 { group.addTask { try? ListeningSocket(at: path) } }
        return await group.reduce(into: [ListeningSocket]()) { if let socket = $1 { $0.append(socket) } }
      }
      #expect(sockets.count == 1)
      _ = try SocketClient(path.description)
      sockets.forEach { $0.close() }
    }
  }
}
