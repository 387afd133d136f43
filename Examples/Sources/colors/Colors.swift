import PlainStore

struct Color: PlainModel {
  var id: String
  var name: String
  var hex: String
  var rgb: [UInt8]
}

/// A list of colours with a search field: each key that is typed changes the list in one update.
struct ColorsScreen {
  private let colors: LiveList<Color>

  init(_ store: ItemStore) throws {
    colors = try store.list(of: Color.self, sort: "name", searchFields: ["name", "hex"])
  }

  /// The text of the search field.
  var search: String {
    get { colors.search }
    nonmutating set { colors.search = newValue }
  }

  /// Shows the list, then each change of it.
  func run(_ show: @Sendable (String) -> Void) async {
    for await update in colors.updates {
      if !update.isInitial {
        for change in update.changes { show("\(change)  \(change.element.name) \(change.element.hex)") }
      }
      show(update.new.isEmpty ? "No colour has such a name or hex value." : "Colours: \(update.new.count)")
    }
  }
}

@main struct Colors {
  static func main() async throws {
    let screen = try ColorsScreen(
      await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/colors"))
    let showing = Task { await screen.run { print($0) } }
    // Reading a line blocks, so it must not run in the task of the list.
    await Task.detached { while let text = readLine() { screen.search = text } }.value
    showing.cancel()
  }
}
