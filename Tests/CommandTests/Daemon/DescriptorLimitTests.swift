import Foundation
import TestSupport
import Testing

/// A daemon that may open few files refuses clients, and goes on with its folders.
@Suite(.timeLimit(.minutes(3))) struct DescriptorLimitTests {
  @Test func `clients do not use up the files that the folders need`() async throws {
    let data = try TemporaryFolder(["ada.yaml": "name: Ada\n"])
    let limited = ["/bin/sh", "-c", "ulimit -Sn 80; ulimit -Hn 80; exec \"$@\"", "sh"]
    let daemon = try RunningDaemon("folders:\n  - path: '\(data.path)'\n", launcher: limited)
    try await daemon.waitUntilOpen()
    var served: [DaemonStream] = []
    var refused = 0
    for _ in 0..<100 {
      let client = try daemon.connect()
      client.send(line: "{\"v\":1,\"folder\":\"\(data.path)\"}")
      if try client.nextJSON().type == "hello" { served.append(client) } else { refused += 1 }
    }
    #expect(served.count >= 30)
    #expect(refused >= 20)
    try data.write("name: Bob\n", to: "bob.yaml")
    for client in served {
      #expect(try client.nextJSON().type == "snapshot")
      #expect(try client.nextJSON().type == "update")
    }
    for client in served { client.close() }
    try await daemon.waitUntilStatus("the clients are gone") { $0.clients == 1 }
    #expect(try await daemon.stop() == 143)
  }
}
