import Dispatch
import HTTPTypes
import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Files
@testable import Serve
import Streams

@Suite(.timeLimit(.minutes(2))) struct RequestQueueTests {
  private static let files = ["ada.yaml": "rating: 9\n", "bob.yaml": "rating: 5\n"]

  /// A client that leaves when the test says so.
  private final class Client: RequestBody {
    private let left = Atomic(false)
    private let body: BytesBody

    init(_ body: String = "") { self.body = BytesBody(Array(body.utf8)) }

    func read(upTo limit: Int) async throws(ProblemDocument) -> [UInt8] { try await body.read(upTo: limit) }

    var isClientGone: Bool { left.load(ordering: .relaxed) }

    func leave() { left.store(true, ordering: .relaxed) }
  }

  /// Work that occupies the thread of a queue until it is released.
  private final class Obstacle: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    /// Waits until the queue is occupied.
    init(_ queue: RequestQueue) async throws {
      let (end, start) = (end, Wakeup())
      let request = try RequestQueueTests.request(.get, "/items")
      task = Task {
        try await queue.run(request) {
          start.signal()
          end.wait()
        }
      }
      await start.wait()
    }

    func release() async throws {
      end.signal()
      try await task.value
    }
  }

  /// Counts the requests that run. One lock guards the numbers.
  private final class Load: Sendable {
    private let numbers = Mutex((now: 0, most: 0))

    var most: Int { numbers.withLock { $0.most } }

    func add() { numbers.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

    func remove() { numbers.withLock { $0.now -= 1 } }
  }

  private static func request(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:], from client: Client = Client()
  ) throws -> ServerRequest {
    let head = HTTPRequest(
      method: method, scheme: "http", authority: "127.0.0.1:1", path: target, headerFields: fields)
    return try ServerRequest(head, body: client)
  }

  @Test func `A large item or a large change keeps no request for another item waiting`() async throws {
    let filler = String(repeating: "x", count: Value.quickSize)
    let served = try await ServedFolder(Self.files.merging(["large.yaml": "text: \(filler)\n"]) { $1 })
    let obstacle = try await Obstacle(served.context.items(for: "large"))
    #expect(try await served.get("/item?id=ada").status == 200)
    let fields: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    #expect(try await served.send(.patch, "/item?id=ada", fields, "{\"rating\":1}").status == 200)
    let large = Task { try await served.send(.patch, "/item?id=ada", fields, "{\"text\":\"\(filler)\"}") }
    while served.context.items(for: "large").count < 2 { await Task.yield() }
    #expect(try await served.get("/item?id=bob").status == 200)
    try await obstacle.release()
    #expect(try await large.value.status == 200)
    #expect(try served.text("ada.yaml") == "rating: 1\ntext: \(filler)\n")
  }

  @Test func `Items are read and saved while a list is made`() async throws {
    let served = try await ServedFolder(Self.files)
    let obstacle = try await Obstacle(served.context.queues.lists)
    #expect(try await served.get("/item?id=ada").status == 200)
    #expect(try await served.get("/plain?id=ada").status == 200)
    let fields: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    #expect(try await served.send(.patch, "/item?id=ada", fields, "{\"rating\":1}").status == 200)
    try await obstacle.release()
  }

  @Test func `Requests beyond the limit are refused at once with a pause`() async throws {
    var options = WebOptions()
    options.maxLists = 1
    options.maxItems = 1
    options.maxHistory = 1
    let served = try await ServedFolder(Self.files, options: options)
    let queues = [served.context.queues.lists, served.context.queues.items, served.context.queues.history]
    let targets = [
      ["/items", "/fields", "/problems", "/plain"], ["/item?id=ada", "/item/source?id=ada", "/plain?id=ada"],
      ["/diff"],
    ]
    for (queue, targets) in zip(queues, targets) {
      let obstacle = try await Obstacle(queue)
      for target in targets {
        let answer = try await served.get(target)
        #expect(answer.status == 503, "\(target)")
        #expect(answer.fields[.retryAfter] == "1")
        #expect(
          target.hasPrefix("/plain") ? answer.type.hasPrefix("text/html") : answer.problem == "busy",
          "\(target)")
      }
      try await obstacle.release()
      #expect(queue.count == 0)
    }
    #expect(try await served.get("/items").status == 200)
  }

  @Test func `A refused undo can be tried again`() async throws {
    var options = WebOptions()
    options.maxItems = 1
    let served = try await ServedFolder(Self.files, options: options)
    let deleted = try await served.send(.delete, "/item?id=ada", [.ifMatch: "*"])
    let body = "{\"undo\":\"\(deleted.json["undo"]?.text ?? "")\"}"
    let obstacle = try await Obstacle(served.context.queues.items)
    #expect(try await served.send(.post, "/undo", [.contentType: "application/json"], body).status == 503)
    try await obstacle.release()
    #expect(try await served.send(.post, "/undo", [.contentType: "application/json"], body).status == 200)
    #expect(try served.text("ada.yaml") == "rating: 9\n")
  }

  @Test func `A request that only reads is dropped if its client left while it waited`() async throws {
    let served = try await ServedFolder(Self.files)
    for (method, target) in [
      (HTTPRequest.Method.get, "/items"), (.head, "/items"), (.get, "/plain"), (.get, "/fields"),
    ] {
      let obstacle = try await Obstacle(served.context.queues.lists)
      let client = Client()
      let request = try Self.request(method, target, from: client)
      let answer = Task { try Answer(await served.server.respond(to: request)) }
      while served.context.queues.lists.count < 2 { await Task.yield() }
      client.leave()
      try await obstacle.release()
      #expect(try await answer.value.status == 503, "\(method) \(target)")
      #expect(served.context.queues.lists.count == 0)
    }
  }

  @Test func `A request that does not wait is answered, though its client has closed its side`() async throws
  {
    let served = try await ServedFolder(Self.files)
    let client = Client()
    client.leave()
    let answer = try Answer(await served.server.respond(to: try Self.request(.get, "/items", from: client)))
    #expect(answer.status == 200)
  }

  @Test func `A change that arrived is made, though its client left`() async throws {
    let served = try await ServedFolder(Self.files)
    let obstacle = try await Obstacle(served.context.queues.items)
    let client = Client("{\"rating\":1}")
    let fields: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
    let request = try Self.request(.patch, "/item?id=ada", fields, from: client)
    let answer = Task { try Answer(await served.server.respond(to: request)) }
    while served.context.queues.items.count < 2 { await Task.yield() }
    client.leave()
    try await obstacle.release()
    #expect(try await answer.value.status == 200)
    #expect(try served.text("ada.yaml") == "rating: 1\n")
  }

  @Test(arguments: Randomness.seeds(30))
  func `Each request gives its place back, however it ends`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let limit = 1 + generator.below(8)
    let queue = RequestQueue(QueueExecutor("queue of a test"), limit: limit, work: "tests")
    let load = Load()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        let client = Client()
        let request = try Self.request(generator.oneIn(3) ? .post : .get, "/items", from: client)
        let (leaves, fails, pauses) = (generator.oneIn(4), generator.oneIn(4), generator.oneIn(2))
        group.addTask {
          if leaves { client.leave() }
          _ = try? await queue.run(request) { () async throws(ProblemDocument) in
            load.add()
            if pauses { await Task.yield() }
            load.remove()
            if fails { throw ProblemDocument(.notFound, "Nothing is here.") }
            return true
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(queue.count == 0, "\(seedNote(seed))")
    #expect(load.most <= limit, "\(seedNote(seed))")
    #expect(try await queue.run(try Self.request(.get, "/items")) { true }, "\(seedNote(seed))")
  }
}
