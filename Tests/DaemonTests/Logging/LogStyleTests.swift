import Glibc
import Testing

@testable import Daemon

@Suite struct LogStyleTests {
  @Test func `standard error is the journal only if its device and inode are those of JOURNAL_STREAM`() throws
  {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    try #require(fstat(file, &status) == 0)
    #expect(LogStyle("\(status.st_dev):\(status.st_ino)", of: file) == .journal)
    for other in [
      nil, "", "8:1", "\(status.st_dev):", "\(status.st_ino):\(status.st_dev)",
      "\(status.st_dev):\(status.st_ino) ",
    ] {
      #expect(LogStyle(other, of: file) == .plain, "\(other ?? "not set")")
    }
  }

  @Test func `a closed standard error is not the journal`() {
    #expect(LogStyle("0:0", of: -1) == .plain)
  }
}
