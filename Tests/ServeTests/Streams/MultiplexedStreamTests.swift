import Dispatch
import Foundation
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import Serve
import Streams

@Suite(.timeLimit(.minutes(2))) struct MultiplexedStreamTests {
  private static let files = [
    "ada.yaml": "rating: 9\n", "bob.yaml": "rating: 5\n",
    ".notes-watch.yaml": "views:\n  best:\n    where: rating > 7\n",
  ]

  /// Opens views and returns the client with the name of the stream.
  private static func open(_ served: ServedFolder, _ views: String, after position: String? = nil)
    async throws -> (StreamClient, String)
  {
    let client = try await served.open(views: views, after: position)
    let first = await client.next()
    #expect(first.name == "stream")
    #expect(first.fields["heartbeat"] as? Int == 15)
    let page = try #require(first.fields["page"] as? String)
    #expect(try await served.get("/").text.contains("data-page=\"\(page)\""))
    return (client, first.fields["stream"] as? String ?? "")
  }

  @Test func `several views share a stream and its position`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let (client, _) = try await Self.open(served, #"{"a":{"sort":"-rating"},"b":{"view":"best"}}"#)
    var readers = ["a": StreamReader(), "b": StreamReader()]
    var last = ""
    for _ in 0..<4 {
      let event = await client.next()
      try readers[event.name]?.apply(event.data)
      last = event.id ?? last
    }
    #expect(readers["a"]?.ids == ["ada", "bob"])
    #expect(readers["b"]?.ids == ["ada"])
    #expect(last == "a=\(readers["a"]?.token ?? "");b=\(readers["b"]?.token ?? "")")
    await client.close()
  }

  @Test func `each view continues after its token, and an unknown one begins again`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let views = #"{"a":{"sort":"-rating"},"b":{"view":"best"}}"#
    let (first, _) = try await Self.open(served, views)
    var position = ""
    for _ in 0..<4 { position = await first.next().id ?? position }
    await first.close()
    let tokens = position.split(separator: ";")
    let (second, _) = try await Self.open(served, views, after: "\(tokens[0]);b=n1.x.1.1.-.-.-")
    #expect(await second.next("bookmark", named: "a").type == "bookmark")
    #expect(await second.next("snapshot", named: "b").type == "snapshot")
    await second.close()
    let (third, _) = try await Self.open(served, views, after: position)
    var types: [String: [String]] = [:]
    for _ in 0..<4 {
      let event = await third.next()
      types[event.name, default: []].append(event.type)
    }
    #expect(types == ["a": ["hello", "bookmark"], "b": ["hello", "bookmark"]])
    await third.close()
  }

  @Test func `no list is made for a client that left while others were`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let streams = served.context.streams
    let end = DispatchSemaphore(value: 0)
    for number in UInt64(0)..<4 { served.context.queues.opening(number).perform { end.wait() } }
    let before = streams.nextNumber()
    let client = try await served.open(views: #"{"a":{},"b":{}}"#)
    _ = await client.next()
    let isClosed = Task { await client.close() }
    while !client.isOver { await Task.yield() }
    for _ in 0..<4 { end.signal() }
    await isClosed.value
    // A view takes a number when its list was made.
    #expect(streams.nextNumber() == before + 2)
    #expect(streams.count == 0)
  }

  @Test func `views are added, changed and closed`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let (client, stream) = try await Self.open(served, #"{"a":{}}"#)
    var reader = StreamReader()
    for _ in 0..<2 { try reader.apply(await client.next().data) }
    #expect(
      try await served.change(stream, #"{"a":{"where":"rating > 7"},"b":{"search":"bob"}}"#).status == 204)
    let update = await client.next("update", named: "a")
    try reader.apply(update.data)
    #expect(reader.ids == ["ada"])
    #expect(await client.next("snapshot", named: "b").text.contains(#""id":"bob""#))
    #expect(try await served.change(stream, #"{"a":null,"never":null}"#).status == 204)
    try served.folder.write("rating: 8\nname: bob\n", to: "carl.yaml")
    #expect(await client.next().name == "b")
    await client.close()
  }

  @Test func `a bad predicate is an error at its column, and the view stays`() async throws {
    let served = try await ServedFolder(Self.files, watching: true)
    let (client, stream) = try await Self.open(served, #"{"a":{}}"#)
    _ = await client.next("snapshot", named: "a")
    #expect(try await served.change(stream, #"{"a":{"where":"rating >","request":7}}"#).status == 204)
    let error = await client.next()
    #expect(error.name == "a")
    #expect(error.fields["code"] as? String == "bad-view")
    #expect(error.fields["parameter"] as? String == "where")
    #expect(error.fields["column"] as? Int == 9)
    #expect(error.fields["answer"] as? Int == 7)
    try served.folder.write("rating: 8\n", to: "carl.yaml")
    #expect(await client.next("update", named: "a").text.contains("carl"))
    await client.close()
  }

  @Test(arguments: [
    #"{"view":"nope"}"#, #"{"nope":1}"#, #"{"window":{"first":-1,"count":5}}"#, #"{"limit":"x"}"#, "7",
    #"{"sort":{}}"#,
  ])
  func `a view that cannot be shown is an error of that view`(view: String) async throws {
    let served = try await ServedFolder(Self.files)
    let (client, _) = try await Self.open(served, #"{"a":\#(view),"b":{}}"#)
    let error = await client.next()
    #expect(error.name == "a")
    #expect(error.fields["code"] as? String == "bad-view")
    #expect(await client.next("snapshot", named: "b").name == "b")
    await client.close()
  }

  @Test func `only the session of a stream can change it`() async throws {
    let served = try await ServedFolder(Self.files)
    let client = try await served.open(views: #"{"a":{}}"#, session: "other")
    let stream = await client.next().fields["stream"] as? String ?? ""
    let answer = try await served.change(stream, #"{"a":null}"#)
    #expect(answer.status == 404)
    #expect(answer.problem == "unknown-stream")
    #expect(try await served.change("guess", "{}").status == 404)
    await client.close()
  }

  @Test(arguments: [
    "[]", "{", #"{"views":{}}"#, #"{"stream":7,"views":{}}"#, #"{"stream":"a","views":[]}"#,
    #"{"stream":"a","views":{"error":{}}}"#,
  ])
  func `a malformed change is refused`(body: String) async throws {
    let served = try await ServedFolder(Self.files)
    #expect(
      try await served.send(.post, "/stream/views", [.contentType: "application/json"], body).status == 400)
  }

  @Test func `a stream has a limited number of views`() async throws {
    let served = try await ServedFolder(Self.files)
    let many = (0..<65).map { "\"v\($0)\":{}" }.joined(separator: ",")
    let (client, stream) = try await Self.open(
      served, "{\((0..<64).map { "\"v\($0)\":{}" }.joined(separator: ","))}")
    for _ in 0..<128 { _ = await client.next() }
    #expect(try await served.change(stream, #"{"more":{}}"#).status == 204)
    #expect(await client.next().fields["code"] as? String == "bad-view")
    #expect(try await served.change(stream, "{\(many)}").status == 400)
    await client.close()
  }

  @Test func `the changes that wait for a client have few bytes together`() throws {
    let streams = WebStreams(of: "/", WebOptions())
    let stream = try streams.open(session: "a", hasHeartbeat: false, waking: Wakeup())
    let views = try RequestedViews(.map([:]))
    func add(_ size: Int) throws { try streams.add(.views(views), size: size, to: stream.id, session: "a") }
    try add(WebStreams.maxRequestBytes - 1)
    try add(1)
    #expect { try add(1) } throws: { ($0 as? ProblemDocument)?.status == .tooManyRequests }
    _ = streams.nextInput(of: stream)
    try add(1)
    streams.close(stream)
  }
}
