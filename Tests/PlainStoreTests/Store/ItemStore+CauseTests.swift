import Query
@testable import Store
import TestSupport
import Testing
import Watch

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreCauseTests {
  @Test func `an update says if the complete folder was read again`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(FetchRequest())
    let subscription = list.subscribe()
    _ = subscription.consumeEvent()
    try folder.write("n: 2\n", to: "a.yaml")
    await store.scan(DirtyPaths(files: ["a.yaml"]))
    #expect(Self.cause(subscription.consumeEvent()) == .changed)
    try folder.write("n: 3\n", to: "a.yaml")
    await store.refresh()
    #expect(Self.cause(subscription.consumeEvent()) == .rescanned)
    list.search = "zz"
    #expect(Self.cause(subscription.consumeEvent()) == .view)
  }

  private static func cause(_ event: ListEvent?) -> UpdateCause? {
    if case .step(let update?, _) = event { update.cause } else { nil }
  }
}
