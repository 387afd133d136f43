import AsyncAlgorithms
import Foundation
import PlainStore

struct Todo: Decodable, Identifiable, Equatable {
  var id: String
  var title: String
  var due: Date?
  var priority: Int?
  var done: Bool

  enum CodingKeys: String, CodingKey {
    case id = "@id"
    case title, due, priority, done
  }
}

/// Two lists of one folder, the items that are due and the most urgent ones, merged into one output. Both
/// follow a search text when the typing pauses.
@main struct Todos {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "../SampleData/todos"
    let store = try ItemStore(at: folder, watching: true)
    let due = try store.results(of: Todo.self) { settings throws(SettingsError) in try settings.view(named: "today").request }
    let top = try store.results(of: Todo.self) { settings throws(SettingsError) in try settings.view(named: "top-10").request }

    let (texts, typed) = AsyncStream.makeStream(of: String.self)
    let searching = Task {
      for await text in texts.debounce(for: .milliseconds(200)) {
        due.search = text
        top.search = text
      }
    }
    let printing = Task {
      let lists = merge(due.updates.map { ("Due", $0) }, top.updates.map { ("Most urgent", $0) })
      for await (name, update) in lists {
        print("\n\(name): \(update.new.count)")
        for todo in update.new.fetchedObjects {
          print("  \(todo.priority ?? 0)  \(todo.due?.formatted(.iso8601.year().month().day()) ?? "          ")  \(todo.title)")
        }
      }
    }
    let typing = Task.detached { while let text = readLine() { typed.yield(text) } }
    await typing.value
    typed.finish()
    await searching.value
    printing.cancel()
  }
}
