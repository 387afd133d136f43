import Files
import Glibc
import Testing

@testable import Daemon

@Suite struct LogOutputTests {
  @Test func `a reader that is gone does not end the program`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let output = Descriptor(owning: ends[1])
    close(ends[0])
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    LogOutput.write(Array("line\n".utf8), to: output.raw)
    var waiting = sigset_t()
    sigpending(&waiting)
    #expect(sigismember(&waiting, SIGPIPE) == 0)
  }

  @Test func `a line reaches the descriptor`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let input = Descriptor(owning: ends[0])
    do {
      let output = Descriptor(owning: ends[1])
      LogOutput.write(Array("line\n".utf8), to: output.raw)
    }
    #expect(try input.readAll() == Array("line\n".utf8))
  }
}
