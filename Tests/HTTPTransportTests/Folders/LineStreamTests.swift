import Foundation
import Serve
import Printing
import Store
import Streams
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(3))) struct LineStreamTests {
  private static let files = ["ada.yaml": "name: Ada\nrating: 3\n", "bob.yaml": "name: Bob\nrating: 5\n"]

  @Test func `everything that was written before the request is in the list`() async throws {
    let folders = try await ServedFolders([:])
    for number in 0..<20 {
      try folders.data.write("name: n\n", to: "n\(number).yaml")
      let client = try folders.stream()
      #expect(try client.nextJSON().root == .string(folders.data.path))
      #expect(try client.nextJSON().count == .number(Double(number + 1)))
    }
  }

  @Test func `a client continues after the token of a lost connection`() async throws {
    let folders = try await ServedFolders(Self.files)
    var reader = StreamReader()
    let first = try folders.stream()
    try first.read(into: &reader) { $0.hasSnapshot }
    let old = reader
    try folders.data.write("name: Cleo\n", to: "cleo.yaml")
    try first.read(into: &reader) { $0.ids.count == 3 }
    first.close()
    try folders.data.remove("ada.yaml")
    // Both the last position and the one before are known; an update may not have arrived.
    for var reader in [reader, old] {
      let next = try folders.stream(since: reader.token)
      try next.read(into: &reader) { $0.ids == ["bob", "cleo"] }
      #expect(reader.ids == ["bob", "cleo"])
    }
  }

  @Test func `a client that missed nothing gets a bookmark`() async throws {
    let folders = try await ServedFolders(Self.files)
    var reader = StreamReader()
    try folders.stream().read(into: &reader) { $0.hasSnapshot }
    let next = try folders.stream(since: reader.token)
    #expect(try next.nextJSON().since == .string(reader.token))
    let bookmark = try next.nextJSON()
    #expect(bookmark.type == "bookmark")
    #expect(bookmark.token == .string(reader.token))
  }

  @Test func `a token that cannot be used is gone, and the list follows`() async throws {
    let folders = try await ServedFolders(Self.files)
    var reader = StreamReader()
    try folders.stream(#"{"limit":1}"#).read(into: &reader) { $0.hasSnapshot }
    for (token, reason) in [
      ("abc", "unknown-token"), (reader.token, "view-mismatch"), ("n9.x", "newer-version"),
    ] {
      let client = try folders.stream(since: token)
      #expect(try client.nextJSON().type == "hello")
      let error = try client.nextJSON()
      #expect(error.code == "gone")
      #expect(error.why == .string(reason))
      #expect(try client.nextJSON().type == "snapshot")
    }
  }

  @Test(.enabled(if: Machine.has("git"), "needs git")) func `a client continues after the token of a commit`()
    async throws
  {
    let first = try await ServedFolders(Self.files)
    _ = try Shell.run(
      "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm first",
      in: first.data.path)
    var reader = StreamReader()
    try first.stream().read(into: &reader) { $0.hasSnapshot }
    // Another daemon has no positions of the first one.
    let second = try await ServedFolders([:])
    _ = try Shell.run(
      "git clone -q '\(first.data.path)' clone && mv clone/.git clone/* . && rm ada.yaml",
      in: second.data.path)
    try second.stream(since: reader.token).read(into: &reader) { $0.ids == ["bob"] }
    #expect(reader.ids == ["bob"])
  }

  @Test func `acknowledgements are accepted for tokens of this stream alone`() async throws {
    let folders = try await ServedFolders(Self.files)
    var reader = StreamReader()
    let client = try folders.stream()
    try client.read(into: &reader) { $0.hasSnapshot }
    client.send(line: "{\"ack\":\"\(reader.token)\"}")
    client.send(line: #"{"ack":"n1.a.1.1.-.-.-"}"#)
    let error = try client.nextJSON()
    #expect(error.code == "bad-control")
    #expect(error.message.string?.hasPrefix("Control line 2, column 8") == true)
  }

  @Test(arguments: Randomness.seeds(4)) func `each client's stream equals the list`(seed: UInt64) async throws
  {
    var random = SeededGenerator(seed: seed)
    let folders = try await ServedFolders(["a.yaml": "name: a\n"])
    let count = 6
    let clients = try (0..<count).map { _ in try folders.stream(#"{"sort":"name"}"#) }
    var readers = [StreamReader](repeating: StreamReader(), count: count)
    var views = [String](repeating: #""search":"""#, count: count)
    for _ in 0..<40 {
      try random.edit(folders.data)
      let number = random.below(count)
      if random.oneIn(3) {
        views[number] = random.one(of: [
          #""search":"1""#, #""search":"2 a""#, #""sort":"-rating","search":null"#, #""section":"group""#,
          #""limit":3"#,
        ])
        clients[number].send(line: "{\(views[number])}")
      }
      if random.oneIn(5) { clients[number].send(line: "rubbish") }
      // Some clients read nothing for a while.
      if random.oneIn(4) {
        await folders.store.settled()
        try Self.catchUp(clients[number], &readers[number], folders)
      }
    }
    // A stream has last good items, and a list that is printed once has not.
    await folders.store.settled()
    for problem in folders.store.problems { try folders.data.remove(problem.path.description) }
    await folders.store.settled()
    for number in 0..<count {
      clients[number].send(line: #"{"search":null,"sort":"-rating,name","section":"group","limit":null}"#)
      try Self.catchUp(clients[number], &readers[number], folders)
    }
    let expected = try #require(
      JSONSerialization.jsonObject(
        with: Data(try folders.fresh(#"{"sort":"-rating,name","section":"group"}"#))) as? [[String: Any]])
    for reader in readers {
      #expect(
        reader.ids.map(\.description) == expected.compactMap { $0["id"] as? String }, "\(seedNote(seed))")
      #expect(
        expected.allSatisfy {
          reader.values[ExactText($0["id"] as? String ?? "")] == $0["value"] as? NSDictionary
        }, "\(seedNote(seed))")
    }
  }

  /// Reads up to the answer to a control line that changes nothing.
  private static func catchUp(_ client: DaemonStream, _ reader: inout StreamReader, _ folders: ServedFolders)
    throws
  {
    client.send(line: "7")
    while let line = try client.nextLine() {
      let answer = try JSON(Data(line))
      guard answer.type == "error" else {
        try reader.apply(line)
        continue
      }
      if answer.message.string?.contains("Expected an object") == true { return }
    }
  }
}

extension ServedFolders {
  /// Returns what `list -o json` prints of a view.
  fileprivate func fresh(_ view: String) throws -> [UInt8] {
    let snapshot = try #require(try list(view).snapshot)
    let pieces = ListFormat.json.pieces(
      of: snapshot, TextOptions(width: nil, usesColor: false, isTerminal: false))
    return (0..<pieces.count).flatMap { pieces[$0] }
  }
}

extension SeededGenerator {
  /// Writes, breaks or removes a file.
  mutating func edit(_ folder: TemporaryFolder) throws {
    let name = "\(one(of: ["a", "b", "c", "d", "e"])).\(one(of: ["yaml", "yaml", "json"]))"
    switch below(6) {
    case 0: _ = try? folder.remove(name)
    case 1: try folder.write("name: [\(below(9))\n", to: name)
    default:
      let group = one(of: ["x", "y", "z"])
      let text =
        name.hasSuffix("json")
        ? "{\"name\":\"n\(below(4))\",\"rating\":\(below(4)),\"group\":\"\(group)\"}"
        : "name: n\(below(4)) a\nrating: \(below(4))\ngroup: \(group)\n"
      try folder.write(text, to: name)
    }
  }
}
