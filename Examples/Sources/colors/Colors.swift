import DiffableSnapshot
import PlainStore

struct Color: Decodable, Identifiable, Equatable {
  var name: String
  var hex: String
  var rgb: [UInt8]
  var id: String { name }
}

/// A colour list with a search field: each line that is typed is the next search text, and what that did to the list is printed.
@main struct Colors {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "../SampleData/colors"
    let store = try ItemStore(at: folder, watching: true)
    // The view `by-name` of the data set's own settings: an edit of it changes the running list.
    let colors = try store.results(of: Color.self) { settings throws(SettingsError) in try settings.view(named: "by-name").request }

    let printing = Task {
      for await update in colors.updates {
        for change in update.changes { print(describe(change)) }
        print("\(update.new.count) colours. Search:")
      }
    }
    // Reading blocks, so it has a thread of its own.
    let typing = Task.detached { while let text = readLine() { colors.search = text } }
    await typing.value
    printing.cancel()
  }

  static func describe(_ change: ResultsChange<Color>) -> String {
    let (place, color) = (change.to?.index ?? change.from?.index ?? 0, change.object)
    let swatch = color.rgb.count == 3 ? "\u{1B}[48;2;\(color.rgb[0]);\(color.rgb[1]);\(color.rgb[2])m  \u{1B}[0m" : "  "
    return switch change.kind {
    case .insert: "+ \(place)  \(swatch) \(color.name) \(color.hex)"
    case .delete: "- \(place)  \(swatch) \(color.name)"
    case .move: "> \(place)  \(swatch) \(color.name)"
    case .update: "~ \(place)  \(swatch) \(color.name) \(change.before?.hex ?? "") is \(color.hex)"
    }
  }
}
