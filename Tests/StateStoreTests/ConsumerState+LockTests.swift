import Glibc
import Store
import TestSupport
import Testing

@testable import StateStore

/// A state that another process has open is left to it.
@Suite(.timeLimit(.minutes(1)))
struct ConsumerStateLockTests {
  private static let script = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    db.execute('PRAGMA locking_mode = EXCLUSIVE')
    db.execute('BEGIN EXCLUSIVE')
    print('locked', flush=True)
    sys.stdin.read()
    """

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func `the other process is named`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 1, count: 5).list
    try fixture.begin(list).close()
    let other = try Spawned(
      "/usr/bin/env", ["python3", "-c", Self.script, fixture.location.file],
      environment: ["PATH": "/usr/bin:/bin:/usr/local/bin"],
      folder: fixture.folder.path, hasInput: true)
    defer { for descriptor in [other.output, other.error] { close(descriptor) } }
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(read(other.output, &buffer, buffer.count) > 0)
    #expect { try fixture.open() } throws: { error in
      let error = error as? StateError
      return error?.code == .locked(process: other.process)
        && error?.message.contains("process \(other.process)") == true
    }
    close(other.input)
    var status: CInt = 0
    #expect(waitpid(other.process, &status, 0) == other.process)
    #expect(try fixture.open().resumed != nil)
    #expect(fixture.reported == [])
  }
}
