import HTTPTypes
import Serve
import TestSupport
import Testing
import Values

/// Ids that try to leave the folder.
struct HostileIDTests {
  private static let secret = "secret of another folder"

  @Test func `No made-up id reads or writes anything outside of the folder`() async throws {
    let outside = try TemporaryFolder([
      "secret.yaml": "name: \(HostileIDTests.secret)\n", "in/ada.yaml": "name: Ada\n",
    ])
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    try served.folder.link("out", to: outside.path)
    try served.folder.link("link.yaml", to: "\(outside.path)/secret.yaml")
    var count = 0
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let id = HostileIDTests.id(&generator, outside.path)
      let note = Comment(rawValue: "\(seedNote(seed)): \(id)")
      for path in ["/item", "/item/source"] {
        let answer = try await served.get("\(path)?id=\(id)")
        #expect([400, 403, 404].contains(answer.status), note)
        #expect(!answer.text.contains(HostileIDTests.secret), note)
        count += 1
      }
      let put = try await served.send(
        .put, "/item?id=\(id)", [.contentType: "application/json", .ifNoneMatch: "*"], #"{"name":"written"}"#)
      #expect([201, 400, 403, 409, 412, 422].contains(put.status), note)
      let delete = try await served.send(.delete, "/item?id=\(id)", [.ifMatch: "*"])
      #expect(delete.status == (put.status == 201 ? 200 : delete.status), note)
      #expect(
        try Shell.run("find . -type f | sort | xargs cat", in: outside.path)
          == "name: Ada\nname: \(HostileIDTests.secret)\n", note)
    }
    #expect(count > 0)
    #expect(try served.text("ada.yaml") == "name: Ada\n")
  }

  /// Returns an encoded id of parts that lead up, through links, or to absolute paths.
  private static func id(_ generator: inout SeededGenerator, _ outside: String) -> String {
    let parts = [
      "..", ".", "out", "link", "secret", "secret.yaml", "in", "", "%2e%2e", "..%00", "\\..", "etc", "passwd",
      "x", ".git", "~",
    ]
    let separator = generator.one(of: ["/", "//", "%2f"])
    let text = (0..<(1 + generator.below(5))).map { _ in generator.one(of: parts) }.joined(
      separator: separator)
    let path = generator.oneIn(5) ? "\(outside)/\(text)" : text
    switch generator.below(3) {
    case 0: return path.queryEncoded
    case 1: return path.queryEncoded.queryEncoded
    default: return path.replacing(" ", with: "%20")
    }
  }
}
