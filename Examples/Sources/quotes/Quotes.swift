import Foundation
import PlainStore
import PlainText

struct Quote: Decodable, Identifiable, Equatable {
  var id: String
  var author: String
  var contents: String
  var createdAt: Date

  enum CodingKeys: String, CodingKey {
    case id = "@id"
    case contents = "body"
    case author, createdAt
  }
}

/// Quotations, newest first. `+ Author: Words` saves one, `- id` deletes one; the list follows the files, whoever writes them.
@main struct Quotes {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "../SampleData/quotes"
    let store = try ItemStore(at: folder, watching: true)
    let quotes = store.results(of: Quote.self, FetchRequest(sort: ["-createdAt"]))

    let printing = Task {
      for await update in quotes.updates {
        for quote in update.new.fetchedObjects { print("\(quote.id): \(quote.author)\n    \(quote.contents.replacing("\n", with: " "))") }
        if update.new.count == 0 { print("No quotes here.") }
      }
    }
    let problems = Task {
      for await case .raised(let problem) in quotes.problems { print("! \(problem)") }
    }
    let typing = Task.detached { while let line = readLine() { await obey(line, store) } }
    await typing.value
    printing.cancel()
    problems.cancel()
  }

  private static func obey(_ line: String, _ store: ItemStore) async {
    let rest = line.dropFirst().trimmingCharacters(in: .whitespaces)
    do {
      switch line.first {
      case "+":
        let parts = rest.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2 else { return print("+ Author: Words") }
        let fields: Fields = [
          "author": .string(parts[0]), "createdAt": Value(text: Date.now.formatted(.iso8601)), "body": .string(parts[1] + "\n"),
        ]
        try await store.insert(Item.ID(printed: UUID().uuidString.lowercased()), fields: fields, format: .markdown)
      case "-": try await store.delete(Item.ID(printed: rest))
      default: print("+ Author: Words, or - id")
      }
    } catch {
      print(error)
    }
  }
}
