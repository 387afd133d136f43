import SampleLists
import HashTreeCollections
import Store
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

/// The tokens of a stream, and their parts.
struct StreamTokenTests {
  private static let commit = String(repeating: "0123456789", count: 4)

  @Test func `a token is read back as it was written`() {
    let tokens = [
      StreamToken(stream: "abc", number: 0, seq: 0),
      StreamToken(stream: "0z", number: 36, seq: 4711, view: "0f"),
      StreamToken(stream: "x", number: 1, seq: 2, view: "0f", digest: "12", commit: StreamTokenTests.commit),
    ]
    for token in tokens { #expect(StreamToken(parsing: token.description) == token) }
    #expect(tokens[1].description == "n1.0z.10.4711.0f.-.-")
  }

  @Test func `anything else is unknown, or of a newer version`() {
    let long = "n1.\(String(repeating: "a", count: 600)).1.1.-.-.-"
    let wrong = [
      "", "abc.1", "n1", "n1.......", "n1.a.1.1.-.-", "n1.a.1.1.-.-.-.-", "n1.A.1.1.-.-.-", "n1.a.-1.1.-.-.-",
      "n1.a.1.-1.-.-.-",
      "n1.a.1.x.-.-.-", "n1.a.1.99999999999999999999.-.-.-", "n1.a.1.\(Int.max).-.-.-",
      "n1.a.1.\(Int.max - 1).-.-.-",
      "n1.a.1.1.G.-.-", "n1.a.1.1.-.-.abc",
      " n1.a.1.1.-.-.-", "n0.a.1.1.-.-.-", "n-2.a",
      "nx.a", "n1.a.1.1.-.-.\(StreamTokenTests.commit)0", long, "n1.é.1.1.-.-.-",
    ]
    for text in wrong {
      #expect(StreamToken(parsing: text) == nil, "\(text)")
      #expect(StreamToken.goneReason(for: text) == .unknownToken, "\(text)")
    }
    for text in ["n2.a.1.1.-.-.-", "n10.something else", "n2"] {
      #expect(StreamToken(parsing: text) == nil, "\(text)")
      #expect(StreamToken.goneReason(for: text) == .newerVersion, "\(text)")
    }
  }

  @Test func `random bytes never crash the reader of tokens`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<2_000 {
      var bytes = Array("n1.ab.2.3.0f.12.\(StreamTokenTests.commit)".utf8)
      for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let token = StreamToken(parsing: text) else { continue }
      #expect(StreamToken(parsing: token.description) == token, "\(text)")
    }
  }

  @Test func `a source recognizes its own tokens and no others`() {
    let (source, other) = (TokenSource(), TokenSource())
    let token = source.next(seq: 3)
    #expect(source.hasMade(token))
    #expect(!other.hasMade(token))
    #expect(!source.hasMade(token.replacing(".0.3.", with: ".1.3.")))
    #expect(!source.hasMade("abc"))
  }

  @Test func `a digest changes with the rows and the order, and updates lead to the digest of the new list`()
    throws
  {
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)]), .sample("b", [:])]) }
    let tokens = TokenSource(view: "0f", hasDigests: true) { StreamTokenTests.commit }
    var encoder = StreamEncoder(tokens: tokens)
    _ = encoder.pieces(of: try lists[0].snapshot)
    let first = try #require(StreamToken(parsing: encoder.position.token))
    _ = encoder.update(try lists[0].update(to: lists[1]), time: Timestamp(seconds: 0, nanoseconds: 0))
    let second = try #require(StreamToken(parsing: encoder.position.token))
    #expect(first.digest == StreamDigest(of: try lists[0].snapshot).description)
    #expect(second.digest == StreamDigest(of: try lists[1].snapshot).description)
    #expect(first.digest != second.digest)
    #expect([first.view, second.view] == ["0f", "0f"])
    #expect(second.commit == StreamTokenTests.commit)
    // The sort is not part of the rows.
    var sorted = try lists[1].snapshot
    sorted = ListSnapshot<Item>(
      request: FetchRequest(sort: ["-n"]), list: sorted.list, items: sorted.items, problems: [:])
    #expect(StreamDigest(of: sorted).description != second.digest)
    // Before the order had a version, missing values came first: such a token is unknown now.
    let unversioned = ContentDigest(
      of: Array([ListDigest(of: sorted).text, "-n"].joined(separator: "\0").utf8)
    ).text
    #expect(StreamDigest(of: sorted).description != unversioned)
  }

  @Test func `a resumed stream computes the digest at its first update`() throws {
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)])]) }
    var encoder = StreamEncoder(at: StreamPosition(seq: 3, token: "t"), tokens: TokenSource(hasDigests: true))
    _ = encoder.update(try lists[0].update(to: lists[1]), time: Timestamp(seconds: 0, nanoseconds: 0))
    let token = try #require(StreamToken(parsing: encoder.position.token))
    #expect(token.digest == StreamDigest(of: try lists[1].snapshot).description)
  }

  @Test func `a token after a part of the changes names no commit`() throws {
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)]), .sample("b", ["n": .int($0)])]) }
    var pending = PendingChanges(after: try lists[0].snapshot)
    pending.add(try lists[0].update(to: lists[1]))
    var encoder = StreamEncoder(tokens: TokenSource(view: "0f", hasDigests: true) { StreamTokenTests.commit })
    _ = encoder.pieces(of: pending.acknowledged)
    #expect(StreamToken(parsing: encoder.position.token)?.commit == StreamTokenTests.commit)
    for expected in [nil, StreamTokenTests.commit] {
      let update = try #require(pending.part(["a"]) ?? pending.update)
      _ = encoder.update(update, time: Timestamp(seconds: 0, nanoseconds: 0))
      pending.acknowledge(update)
      #expect(StreamToken(parsing: encoder.position.token)?.commit == expected)
    }
  }

  @Test func `a token names a commit only if the rows imply the order`() throws {
    let requests: [(FetchRequest, Bool)] = [
      (FetchRequest(), true), (FetchRequest(sort: ["-n", "@path"]), true),
      (FetchRequest(sort: ["@modified"]), false),
      (FetchRequest(sort: ["n"], fields: ["name"]), false),
      (FetchRequest(sort: ["n"], fields: ["name", "n"]), true),
      (FetchRequest(sort: [ItemSortDescriptor(by: { _ in nil })]), false),
    ]
    for (request, names) in requests {
      var encoder = StreamEncoder(tokens: TokenSource(hasDigests: true) { StreamTokenTests.commit })
      _ = encoder.pieces(of: try SampleList([.sample("a", ["n": .int(1)])], request: request).snapshot)
      #expect(
        StreamToken(parsing: encoder.position.token)?.commit == (names ? StreamTokenTests.commit : nil),
        "\(request)")
    }
  }

  @Test func `a plain stream computes no digest and asks for no commit`() throws {
    var encoder = StreamEncoder(tokens: TokenSource())
    _ = encoder.pieces(of: try SampleList([]).snapshot)
    let token = try #require(StreamToken(parsing: encoder.position.token))
    #expect([token.view, token.digest, token.commit] == [nil, nil, nil])
  }
}
