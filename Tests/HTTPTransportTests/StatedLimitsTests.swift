import Foundation
import Testing

@testable import HTTPTransport

/// The limits of a connection are those that docs/http.md states. `HostileWebClientsTests` exceeds
/// them.
struct StatedLimitsTests {
  @Test func `The limits of a connection are those of the documentation`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/http.md")
    let page = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    let sentences = [
      "has at most \(ConnectionLimits.targetSize >> 10) KB",
      "its head at most \(ConnectionLimits.headSize >> 10) KB and \(ConnectionLimits.fieldCount) fields",
      "each \(ConnectionLimits.bodyProgress >> 10) KB of a body",
    ]
    for sentence in sentences { #expect(page.contains(sentence), "\(sentence)") }
  }
}
