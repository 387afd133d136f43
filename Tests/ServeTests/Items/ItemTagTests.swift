import HTTPTypes
import TestSupport
import Testing
import Values

/// The tags of items.
struct ItemTagTests {
  @Test func `a tag covers the path, and a change needs the newest one`() async throws {
    let served = try await ServedFolder(["a.yaml": "name: Ada\n"])
    let old = try await served.tag("a")
    try served.folder.shell("mv a.yaml a.yml")
    let answer = try await served.get("/item?id=a", [.ifNoneMatch: old])
    #expect(answer.status == 200)
    #expect(answer.json["path"] == "a.yml")
    #expect(answer.tag != old)
    let merge: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: old]
    #expect(try await served.send(.patch, "/item?id=a", merge, "{}").status == 412)
    #expect(try await served.get("/item?id=a", [.ifNoneMatch: answer.tag]).status == 304)
  }

  @Test func `a client can change what it read before the server was restarted`() async throws {
    let served = try await ServedFolder(["a.yaml": "name: Ada\n"])
    let old = try await served.tag("a")
    let again = ServedFolder(again: served)
    let merge: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: old]
    let answer = try await again.send(.patch, "/item?id=a", merge, #"{"name":"Eve"}"#)
    #expect(answer.status == 200)
    #expect(try await again.get("/item?id=a", [.ifNoneMatch: answer.tag]).status == 304)
  }

  /// The texts of an item that is renamed, damaged and mended. A damaged item has its last good
  /// values.
  private static let texts = ["{}", #"{"n": 1}"#, #"{"n": 2}"#, "{", "[", #"{"n": 1} "#]

  @Test func `an old tag never stands for another representation`() async throws {
    var (same, different) = (0, 0)
    for seed in Randomness.seeds(6) {
      var generator = SeededGenerator(seed: seed)
      let served = try await ServedFolder(["a.yaml": "{}"])
      var known: [String: String] = [:]
      for _ in 0..<30 {
        let name = ["a.yaml", "a.yml", "a.json"].randomElement(using: &generator) ?? "a.yaml"
        try served.folder.shell("rm -f a.*")
        try served.folder.write(Self.texts.randomElement(using: &generator) ?? "{}", to: name)
        let answer = try await served.get("/item?id=a")
        guard answer.status == 200 else { continue }
        for (tag, text) in known {
          let status = try await served.get("/item?id=a", [.ifNoneMatch: tag]).status
          #expect([200, 304].contains(status))
          #expect(status == 200 || text == answer.text, "\(seedNote(seed)): \(text) and \(answer.text)")
          if status == 304 { same += 1 } else { different += 1 }
        }
        known[answer.tag] = answer.text
      }
    }
    #expect(same > 0)
    #expect(different > 0)
  }
}
