import TestSupport
import Testing

/// The log of a running daemon.
@Suite(.timeLimit(.minutes(2))) struct DaemonLogTests {
  @Test func `each update of a folder is one line of the log`() async throws {
    let notes = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let daemon = try RunningDaemon("folders:\n  - path: \(notes.path)\n")
    try await daemon.waitUntilOpen()
    try await notes.replace("a.yaml", with: "n: 2\n")
    try await daemon.wait(until: "the edit is in the log") {
      daemon.log.contains("1 updated (a), origin files, 1 item\n")
    }
    #expect(daemon.log.contains(" info: \(notes.path): 1 updated"))
    try notes.write("n: [", to: "b\nforged.yaml")
    try await daemon.wait(until: "the problem is in the log") {
      daemon.log.contains("warning: \(notes.path)/b%0Aforged.yaml:1:4: ")
    }
  }
}
