import Foundation
import Testing
import WebServer

/// The limits of a server are those that docs/http.md states. Tests of a limit use another value,
/// which is reached sooner.
struct StatedLimitsTests {
  private static let page: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/http.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }()

  @Test func `The defaults are those of the documentation`() {
    let options = WebOptions()
    func grouped(_ number: Int) -> String {
      number < 1_000 ? "\(number)" : "\(number / 1_000),\("\(number % 1_000 + 1_000)".dropFirst())"
    }
    #expect(options.clientTimeout == .seconds(60))
    let sentences = [
      "one that reads nothing for a minute is disconnected", "Every \(options.heartbeat.components.seconds) seconds a comment",
      "Above \(grouped(options.maxStreams)) streams or \(grouped(options.maxConnections)) connections the answer is 503",
      "At most \(options.maxLists), \(options.maxItems) and \(options.maxHistory) can wait",
      "up to \(options.maxBodySize >> 20) MB", "remembers the last \(grouped(options.maxUndos)) changes",
    ]
    for sentence in sentences { #expect(Self.page.contains(sentence), "\(sentence)") }
  }
}
