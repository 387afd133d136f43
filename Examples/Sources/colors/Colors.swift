import DiffableSnapshot
import PlainStore

struct Color: Decodable, Identifiable, Equatable {
  var name: String
  var hex: String
  var rgb: [UInt8]
  var id: String { name }
}

/// A list of colours with a search field: each line that you type is the next search text. The program
/// prints each change of the list.
@main struct Colors {
  static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "../SampleData/colors"
    let store = try ItemStore(at: folder, watching: true)
    // The view `by-name` is in the settings of the data set. Editing it changes the running list.
    let colors = try store.results(of: Color.self) { settings throws(SettingsError) in try settings.view(named: "by-name").request }

    let printing = Task {
      for await update in colors.updates {
        for change in update.changes { print(describe(change)) }
        print("\(update.new.count) colours. Search:")
      }
    }
    // Reading a line blocks, so it must not run in the task of the list.
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
