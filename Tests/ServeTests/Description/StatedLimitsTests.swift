import Foundation
import TestSupport
import Testing
import Values

@testable import Serve

/// The limits of a server are those that the documentation states. Tests of a limit use another
/// value, which is reached sooner.
struct StatedLimitsTests {
  private static func page(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../docs/\(name).md")
    return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
  }

  private static func grouped(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000),\("\(number % 1_000 + 1_000)".dropFirst())"
  }

  @Test func `The limits of the server are those of the documentation`() throws {
    let options = WebOptions()
    #expect(options.clientTimeout == .seconds(60))
    #expect(AccessTokens.lifetime == .seconds(60))
    let sentences = [
      "one that reads nothing for a minute is disconnected",
      "Every \(options.heartbeat.components.seconds) seconds a comment",
      "Above \(Self.grouped(options.maxStreams)) streams or \(Self.grouped(options.maxConnections)) connections the answer is 503",
      "At most \(options.maxLists), \(options.maxItems) and \(options.maxHistory) can wait",
      "Items and bodies above \(Value.quickSize >> 10) KB",
      "\(options.maxResuming) can wait, and each for \(options.resumingTimeout.components.seconds) seconds",
      "up to \(options.maxBodySize >> 20) MB each and \(options.maxBodiesSize >> 20) MB together",
      "its body is larger than \(options.maxBodySize >> 20) MB",
      "remembers the last \(Self.grouped(options.maxUndos)) changes, up to \(ItemMemory.maxUndoSize >> 20) MB",
      "must arrive within \(options.requestTimeout.components.seconds) seconds",
      "`limit` is \(ItemLog.defaultLimit) by default and at most \(Self.grouped(ItemLog.maxLimit))",
      "at most \(CutValue.maxCount) fields, and \(CutValue.maxLength) characters each",
      "a stream can have up to \(RequestedViews.maxCount) views",
      "`count` is at most \(RequestedWindow.maxCount)",
    ]
    let page = try Self.page("http")
    for sentence in sentences { #expect(page.contains(sentence), "\(sentence)") }
  }

  @Test func `The limits of the page are those of the documentation`() throws {
    let assets = PageAsset.all.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
    let limits = [
      ("Rows in view", "maxMoves = 200", "more than 200 of them are one highlight"),
      ("Moments", "moment = 300", "within 0.3 seconds are shown together"),
      ("Summaries", "pause = 5_000", "at most every five seconds"),
      ("Texts", "value.slice(0, 20_000)", "the item shows 20,000"),
      ("Files", "maxLength = 200_000", "the file's text 200,000"),
      ("Lines", "maxLines = 5_000", "and 5,000 lines"),
      ("Fields", "entries.slice(0, 500)", "500 are shown"),
      ("Editors", "maxEditors = 200", "200 have editors"),
      ("Commits", "maxCommits = 50", "the last 50 commits"),
    ]
    let page = try Self.page("serve")
    for (name, code, sentence) in limits {
      #expect(assets.contains(code), "\(name)")
      #expect(page.contains(sentence), "\(name)")
    }
    #expect(page.contains("in pages of \(PlainList.itemsPerPage) items"))
    #expect(page.contains("\(CutValue.maxLength) characters; the item shows"))
    #expect(page.contains("open it within a minute, once"))
  }

  @Test(arguments: [
    (64, 1, true), (65, 1, false), (1, 32, true), (1, 33, false),
  ])
  func `A stream accepts so many views and such long ids`(count: Int, length: Int, isAccepted: Bool)
    async throws
  {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    let ids = (0..<count).map { String(repeating: "a", count: length - 1) + (count == 1 ? "b" : "v\($0)") }
    let target = "/stream?views=%7B\(ids.map { "%22\($0)%22:%7B%7D" }.joined(separator: ","))%7D"
    do {
      #expect(try await served.get(target).status == 400)
      #expect(!isAccepted)
    } catch is Answer.IsStream {
      #expect(isAccepted)
    }
  }

  @Test func `A log has at most 1,000 commits`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    // The folder is in no repository.
    #expect(try await served.get("/item/log?id=ada&limit=1000").status == 404)
    #expect(try await served.get("/item/log?id=ada&limit=1001").status == 400)
    #expect(try await served.get("/item/log?id=ada&limit=0").status == 400)
  }
}
