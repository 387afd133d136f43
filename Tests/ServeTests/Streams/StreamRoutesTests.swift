import Foundation
import HTTPTypes
import Store
import Streams
import TestSupport
import Testing

@testable import Serve

@Suite(.timeLimit(.minutes(2))) struct StreamRoutesTests {
  private static let files = ["ada.yaml": "rating: 9\n", "bob.yaml": "rating: 5\n"]

  @Test func `a stream begins with hello and the list, and has each change`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let client = try await served.open("/stream?sort=-rating")
    var reader = StreamReader()
    for type in ["hello", "snapshot"] {
      let event = await client.next()
      #expect(event.type == type)
      try reader.apply(event.data)
      #expect(event.id == (type == "hello" ? nil : reader.token))
    }
    #expect(reader.ids == ["ada", "bob"])
    try served.folder.write("rating: 10\n", to: "bob.yaml")
    let event = await client.next()
    try reader.apply(event.data)
    #expect(event.id == reader.token)
    #expect(reader.ids == ["bob", "ada"])
    await client.close()
  }

  @Test func `the response is an event stream that nothing buffers or stores`() async throws {
    let served = try await ServedFolder(Self.files)
    let response = try await served.response("/stream")
    #expect(response.head.headerFields[.contentType] == "text/event-stream")
    #expect(response.head.headerFields[.cacheControl] == "no-store")
    #expect(HTTPField.Name("X-Accel-Buffering").flatMap { response.head.headerFields[$0] } == "no")
  }

  @Test(arguments: [true, false])
  func `a stream continues after a token`(usesHeader: Bool) async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let first = try await served.open("/stream")
    let token = await first.next("snapshot").id ?? ""
    await first.close()
    try served.folder.write("rating: 1\n", to: "carl.yaml")
    await served.store.settled()
    let second = try await served.open(
      usesHeader ? "/stream" : "/stream?from=\(token)", after: usesHeader ? token : nil)
    let hello = await second.next()
    #expect(hello.fields["since"] as? String == token)
    let update = await second.next("update")
    #expect(update.fields["since"] as? String == token)
    #expect(update.text.contains(#""op":"insert","id":"carl""#))
    await second.close()
  }

  @Test func `a client that missed nothing gets a bookmark`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let first = try await served.open("/stream")
    let token = await first.next("snapshot").id
    await first.close()
    let second = try await served.open("/stream", after: token)
    #expect(await second.next().type == "hello")
    let bookmark = await second.next()
    #expect(bookmark.type == "bookmark")
    #expect(bookmark.id == token)
    await second.close()
  }

  @Test func `an unknown token gives gone and the list`() async throws {
    let served = try await ServedFolder(Self.files)
    let client = try await served.open("/stream", after: "n1.x.1.1.-.-.-")
    #expect(await client.next().type == "hello")
    let error = await client.next()
    #expect(error.fields["code"] as? String == "gone")
    #expect(await client.next().type == "snapshot")
    await client.close()
  }

  @Test(.enabled(if: Machine.has("git"), "needs git"), arguments: [1, 0])
  func `the list of a commit is found after a restart, unless too many wait for git`(limit: Int) async throws
  {
    let plain = try await ServedFolder(Self.files, watching: true)
    try plain.folder.shell("git init -q -b main . && git add -A && git commit -qm first")
    await plain.store.settled()
    let first = try await ServedFolder(again: plain).open("/stream")
    let token = await first.next("snapshot").id ?? ""
    await first.close()
    #expect(token.split(separator: ".").last?.count == 40)
    var options = WebOptions()
    options.maxResuming = limit
    let second = try await ServedFolder(again: plain, options: options).open("/stream", after: token)
    #expect(await second.next().fields["since"] as? String == (limit > 0 ? token : nil))
    let event = await second.next()
    #expect(event.type == (limit > 0 ? "bookmark" : "error"))
    if limit == 0 { #expect(event.fields["code"] as? String == "gone") }
    await second.close()
  }

  @Test(.enabled(if: Machine.has("git"), "needs git"))
  func `a client that waits too long for the lists of others gets the complete list`() async throws {
    let plain = try await ServedFolder(Self.files, watching: true)
    try plain.folder.shell("git init -q -b main . && git add -A && git commit -qm first")
    let first = try await ServedFolder(again: plain).open("/stream")
    let token = await first.next("snapshot").id ?? ""
    await first.close()
    var options = WebOptions()
    options.resumingTimeout = .zero
    let served = ServedFolder(again: plain, options: options)
    let (start, end) = (Wakeup(), Wakeup())
    let other = Task {
      await served.context.queues.resuming.run { _ in
        start.signal()
        await end.wait()
        return true
      }
    }
    await start.wait()
    let second = try await served.open("/stream", after: token)
    let gone = await second.next("error")
    #expect(gone.fields["code"] as? String == "gone")
    #expect(await second.next().type == "snapshot")
    end.signal()
    #expect(await other.value == true)
    await second.close()
    // Alone, it is not late.
    let third = try await served.open("/stream", after: token)
    #expect(await third.next("bookmark").id == token)
    await third.close()
  }

  /// A browser that connects again asks for the same target.
  @Test func `the position of the last event has priority over the one of the target`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let first = try await served.open("/stream?sort=-rating")
    let old = try #require(await first.next("snapshot").id)
    try served.folder.write("rating: 10\n", to: "bob.yaml")
    let new = try #require(await first.next("update").id)
    await first.close()
    let second = try await served.open("/stream?sort=-rating&from=\(old)", after: new)
    #expect(await second.next().type == "hello")
    let event = await second.next()
    #expect(event.type == "bookmark")
    #expect(event.id == new)
    await second.close()
  }

  @Test func `too many streams are refused with a pause`() async throws {
    var options = WebOptions()
    options.maxStreams = 1
    let served = try await ServedFolder(Self.files, options: options)
    let client = try await served.open("/stream")
    _ = await client.next()
    let answer = try await served.get("/stream")
    #expect(answer.status == 503)
    #expect(answer.problem == "too-many-streams")
    #expect(answer.fields[.retryAfter] == "5")
    await client.close()
    #expect(served.server.context.streams.count == 0)
  }

  @Test func `a stream whose place was taken after its head was sent ends at once`() async throws {
    var options = WebOptions()
    options.maxStreams = 1
    let served = try await ServedFolder(Self.files, options: options)
    let (first, second) = (try await served.response("/stream"), try await served.response("/stream"))
    let client = try StreamClient(first)
    _ = await client.next()
    let late = try StreamClient(second)
    await late.ended()
    #expect(served.server.context.streams.count == 1)
    await client.close()
  }

  @Test func `HEAD opens no stream`() async throws {
    let served = try await ServedFolder(Self.files)
    let answer = try await served.send(.head, "/stream")
    #expect(answer.status == 200)
    #expect(answer.fields[.contentType] == "text/event-stream")
    #expect(served.server.context.streams.count == 0)
  }

  @Test func `a stream without news has comments`() async throws {
    var options = WebOptions()
    options.heartbeat = .milliseconds(20)
    let served = try await ServedFolder(Self.files, options: options)
    let client = try await served.open("/stream")
    _ = await client.next("snapshot")
    #expect(await client.next().data.isEmpty)
    #expect(await client.next().data.isEmpty)
    await client.close()
  }

  @Test func `a client that reads nothing gets one step for all that happened`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let client = try await served.open("/stream")
    var reader = StreamReader()
    for _ in 0..<2 { try reader.apply(await client.next().data) }
    client.hold()
    for number in 0..<20 {
      try served.folder.write("rating: \(number)\n", to: "n\(number).yaml")
      await served.store.settled()
    }
    client.release()
    while reader.ids.count < 22 { try reader.apply(await client.next().data) }
    // One may have been on its way when the client stopped to read.
    #expect(reader.updates <= 2)
    await client.close()
  }

  @Test func `a view that does not exist is refused`() async throws {
    let served = try await ServedFolder(Self.files)
    let answer = try await served.get("/stream?view=none")
    #expect(answer.status == 404)
    #expect(answer.problem == "unknown-view")
    #expect(served.server.context.streams.count == 0)
  }

  @Test(arguments: [
    "/stream?nope=1", "/stream?where=rating%20%3E", "/stream?views=1",
    "/stream?views=%7B%22%20%22%3A%7B%7D%7D", "/stream?views=%7B",
  ])
  func `a malformed request is refused`(target: String) async throws {
    let served = try await ServedFolder(Self.files)
    let answer = try await served.get(target)
    #expect(answer.status == 400)
    #expect(answer.type == "application/problem+json")
  }
}
