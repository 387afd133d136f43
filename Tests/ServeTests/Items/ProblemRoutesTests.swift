import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Serve

@Suite struct ProblemRoutesTests {
  @Test func `A problem comes with the text of its file`() async throws {
    let served = try await ServedFolder(["ada.yaml": "n: 1\n", "bad.yaml": "a: 1\nb: [\n"])
    let answer = try await served.get("/problem?path=bad.yaml")
    #expect(answer.status == 200)
    #expect(answer.json["path"] == "bad.yaml")
    #expect(answer.json["line"] == 2)
    #expect(answer.json["text"] == "a: 1\nb: [\n")
    #expect(answer.json["first"] == 1)
    #expect(answer.json["note"] == nil)
    #expect(answer.json["message"]?.text.isEmpty == false)
  }

  @Test func `The settings file is served while it has a problem`() async throws {
    let served = try await ServedFolder(
      ["ada.yaml": "n: 1\n", ".notes-watch.yaml": "views: {a: {sort: []}, b: 5}\n"])
    #expect(try await served.get("/problem?path=.notes-watch.yaml").json["text"] != nil)
    try served.folder.write("views: {}\n", to: ".notes-watch.yaml")
    #expect(try await served.get("/problem?path=.notes-watch.yaml").problem == "no-problem")
  }

  @Test(arguments: [
    "ada.yaml", "none.yaml", "../secret.yaml", "/etc/passwd", ".git/config", "", "sub", "notes.txt",
  ])
  func `No file without a problem is read`(path: String) async throws {
    let served = try await ServedFolder(
      [
        "ada.yaml": "n: 1\n", "bad.yaml": "b: [\n", "notes.txt": "secret", ".git/config": "secret",
        "sub/x.yaml": "n: 1",
      ])
    let answer = try await served.get("/problem?path=\(path)")
    #expect([400, 404].contains(answer.status))
    #expect(!answer.text.contains("secret"))
  }

  @Test func `A link is a problem and is not followed`() async throws {
    let served = try await ServedFolder(["ada.yaml": "n: 1\n", "secret.txt": "password"])
    try FileManager.default.createSymbolicLink(
      atPath: "\(served.folder.path)/link.yaml", withDestinationPath: "\(served.folder.path)/secret.txt")
    try FileManager.default.createDirectory(
      atPath: "\(served.folder.path)/folder.yaml", withIntermediateDirectories: false)
    for path in ["link.yaml", "folder.yaml"] {
      let answer = try await served.get("/problem?path=\(path)")
      #expect(answer.status == 200)
      #expect(answer.json["text"] == nil)
      #expect(answer.json["note"]?.text.hasPrefix("The file is not shown: ") == true)
      #expect(!answer.text.contains("password"))
    }
  }

  @Test func `A file that is not text is not shown, and other bytes are replaced`() {
    #expect(ProblemText([0x61, 0, 0x62], around: 1).text == nil)
    #expect(ProblemText([0x61, 0, 0x62], around: 1).note == "The file is not text, so it is not shown.")
    let latin = ProblemText([0x61, 0xE9, 0x0A], around: 1)
    #expect(latin.text == "a\u{FFFD}\n")
    #expect(latin.note?.hasPrefix("The file is not UTF-8.") == true)
  }

  @Test(arguments: [1, 2, 49_999, 50_000, 60_000, .max, .min])
  func `Of a large file, the lines around the problem are shown`(line: Int) throws {
    let lines = (1...50_000).map { "line \($0)\n" }
    let text = ProblemText(Array(lines.joined().utf8), around: line)
    let shown = try #require(text.text)
    let middle = min(max(line, 1), 50_000)
    #expect(shown.contains("line \(middle)\n"))
    #expect(shown.hasPrefix("line \(text.first)\n"))
    #expect(shown.split(separator: "\n").count <= 2 * ProblemText.reach + 1)
    #expect(text.note == "The file is larger than what is shown here. Open it in an editor.")
  }

  @Test(arguments: Randomness.seeds(200))
  func `An excerpt is a part of the file that holds the line`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<random.below(9) {
      bytes += Array(
        repeating: UInt8(ascii: "x"), count: random.oneIn(4) ? random.below(200_000) : random.below(9))
      if !random.oneIn(5) { bytes.append(0x0A) }
    }
    let line = random.below(12)
    let text = ProblemText(bytes, around: line)
    let shown = Array(try #require(text.text).utf8)
    #expect(shown.count <= ProblemText.maxSize, Comment(rawValue: seedNote(seed)))
    // The lines before the excerpt are those that its number says.
    var start = 0
    for _ in 1..<text.first {
      start = try #require(bytes[start...].firstIndex(of: 0x0A)) + 1
    }
    #expect(Array(bytes[start...].prefix(shown.count)) == shown, Comment(rawValue: seedNote(seed)))
    let count = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
    let last = min(max(line, 1), count - (bytes.last == 0x0A ? 1 : 0), count)
    let end = text.first + shown.count { $0 == 0x0A }
    #expect(text.first <= max(last, 1), Comment(rawValue: seedNote(seed)))
    #expect(max(last, 1) <= end, Comment(rawValue: seedNote(seed)))
    #expect((text.note == nil) == (shown.count == bytes.count), Comment(rawValue: seedNote(seed)))
  }
}
