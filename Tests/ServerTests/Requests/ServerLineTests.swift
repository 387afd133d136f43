import Testing
import Values

@testable import Server

@Suite struct ServerLineTests {
  @Test(arguments: [
    ServerLine.output(bytes: 0), .output(bytes: 1 << 40), .message("a \"b\"\n\u{1B}"),
    .problem("a.yaml:1:2: no"), .end(code: 78),
    .status(["pid": .number(.integer(3)), "folders": .list([])]), .done,
    .error(code: "closing", message: "The daemon is stopping."),
  ]) func `a line reads as it was written`(line: ServerLine) {
    #expect(ServerLine(reading: line.bytes.dropLast()) == line)
    #expect(line.bytes.last == UInt8(ascii: "\n"))
    #expect(line.bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
  }

  @Test(arguments: [
    "", "{}", "7", #"{"v":1,"type":"hello","root":"/a"}"#, #"{"v":1,"type":"output","bytes":-1}"#,
    #"{"v":1,"type":"output"}"#,
    #"{"v":1,"type":"end","code":"0"}"#, #"{"v":1,"type":"unknown"}"#,
  ]) func `a line of a stream or of an unknown type is none`(text: String) {
    #expect(ServerLine(reading: Array(text.utf8)) == nil)
  }
}
