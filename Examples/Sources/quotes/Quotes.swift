import Foundation
import PlainStore

struct Quote: PlainModel {
  var id: String
  var author: String
  var contents: String
  var createdAt: Date

  enum CodingKeys: String, CodingKey {
    case id, author, createdAt
    case contents = "body"
  }
}

/// The calls that `NSFetchedResultsController` makes to its delegate.
protocol QuotesDelegate {
  func willChangeContent()
  func didChange(_ quote: Quote, at place: ListPlace?, for kind: ListChangeKind, newPlace: ListPlace?)
  func didChangeContent(_ quotes: ListSnapshot<Quote>)
}

/// Quotations, newest first.
struct QuotesScreen {
  private let store: ItemStore
  private let quotes: LiveList<Quote>

  init(_ store: ItemStore) throws {
    self.store = store
    quotes = try store.list(of: Quote.self, sort: "-createdAt")
  }

  func add(_ contents: String, by author: String, at time: Date = .now) async throws {
    try await store.insert(
      Quote(id: UUID().uuidString.lowercased(), author: author, contents: contents, createdAt: time))
  }

  /// Deletes the quote in a row; does nothing if there is no such row.
  func delete(at row: ListPlace) async throws {
    if let quote = quotes.snapshot[row] { try await store.delete(quote.id) }
  }

  /// Reports the list to the delegate, then each change of it.
  func run(_ delegate: some QuotesDelegate) async {
    for await update in quotes.updates {
      delegate.willChangeContent()
      for change in update.changes {
        delegate.didChange(change.element, at: change.from, for: change.kind, newPlace: change.to)
      }
      delegate.didChangeContent(update.new)
    }
  }
}

/// A delegate that prints each call.
struct PrintingDelegate: QuotesDelegate {
  func willChangeContent() { print("will change") }

  func didChange(_ quote: Quote, at place: ListPlace?, for kind: ListChangeKind, newPlace: ListPlace?) {
    print("\(kind) \(place?.description ?? "-") \(newPlace?.description ?? "-")  \(quote.author)")
  }

  func didChangeContent(_ quotes: ListSnapshot<Quote>) {
    print(quotes.isEmpty ? "No quotes here." : "Quotes: \(quotes.count)")
  }
}

@main struct Quotes {
  static func main() async throws {
    let screen = try QuotesScreen(
      await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/quotes"))
    let showing = Task { await screen.run(PrintingDelegate()) }
    await Task.detached {
      while let line = readLine() {
        let words = line.dropFirst().split(separator: ":", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        do {
          switch (line.first, words.count) {
          case ("+", 2): try await screen.add(words[1], by: words[0])
          case ("-", 1): try await screen.delete(at: ListPlace(section: 0, item: Int(words[0]) ?? -1))
          default: print("+ Author: Words, or - number")
          }
        } catch {
          print(error)
        }
      }
    }.value
    showing.cancel()
  }
}
