import Dispatch
import Foundation
@preconcurrency import OpenCombine
import OpenCombineDispatch
import PlainStore

struct Todo: PlainModel {
  var id: String
  var title: String
  var due: Date?
  var priority: Int
  var done: Bool

  static let defaults: Fields = ["priority": 1, "done": false]
}

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// A publisher of the elements, which arrive on the main actor. It ends with its subscriber.
  @MainActor var publisher: AnyPublisher<Element, Never> {
    Deferred {
      let subject = PassthroughSubject<Element, Never>()
      let task = Task { @MainActor in
        for await element in self { subject.send(element) }
        subject.send(completion: .finished)
      }
      return subject.handleEvents(receiveCancel: { task.cancel() })
    }.eraseToAnyPublisher()
  }
}

/// Two lists of one folder: what is due, and the most urgent tasks. A search text applies to both
/// when the typing pauses.
@MainActor final class TodosScreen {
  private let typed = PassthroughSubject<String, Never>()
  private let store: ItemStore
  private let due: LiveList<Todo>
  private let urgent: LiveList<Todo>
  private var subscriptions: Set<AnyCancellable> = []

  init(_ store: ItemStore) throws {
    self.store = store
    due = try store.list(of: Todo.self, where: "done = false AND due <= @today", sort: "due", "-priority")
    urgent = try store.list(of: Todo.self, where: "done = false", sort: "-priority", "due", limit: 10)
  }

  /// Sets the text of the search field.
  func type(_ text: String) { typed.send(text) }

  func complete(_ id: String) async throws {
    try await store.update(id, as: Todo.self) { $0.done = true }
  }

  /// Shows both lists, and again after each change.
  func run(_ show: @escaping @MainActor (String) -> Void) {
    typed
      .debounce(for: .milliseconds(200), scheduler: DispatchQueue.main.ocombine)
      .removeDuplicates()
      .sink { [due, urgent] text in
        due.search = text
        urgent.search = text
      }
      .store(in: &subscriptions)
    store.updates(of: due, urgent).publisher
      .scan((due: due.snapshot, urgent: urgent.snapshot)) { shown, joint in
        let (due, urgent) = joint.updates
        return (due?.new ?? shown.due, urgent?.new ?? shown.urgent)
      }
      .map { "\($0.due.count) due, most urgent: \($0.urgent.first?.title ?? "nothing")" }
      .sink { show($0) }
      .store(in: &subscriptions)
  }
}

@main struct Todos {
  @MainActor static func main() async throws {
    let screen = try TodosScreen(
      await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/todos"))
    screen.run { print($0) }
    await Task.detached { while let text = readLine() { await MainActor.run { screen.type(text) } } }.value
  }
}
