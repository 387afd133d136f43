import Foundation
import TestSupport

/// A view: the arguments for the program, and what they mean to the harness.
struct ListView: Sendable {
  let arguments: [String]
  var shows: @Sendable (FolderEntry) -> Bool = { _ in true }
  var section: @Sendable (FolderEntry) -> ExactText = { _ in "" }
  /// Returns true if two items of a section may have this order. The program decides ties.
  var isOrdered: @Sendable (FolderEntry, FolderEntry) -> Bool = { _, _ in true }
  var fields: [String]?
  var window: (offset: Int, limit: Int)?
  /// True if it is the view `main` of the settings.
  var isNamed = false
  var hasIDField = false
  /// The sections that are shown first, even if they are empty.
  var firstSections: [ExactText] = []

  init(_ arguments: [String]) { self.arguments = arguments }

  static let byRating = ListView(["--sort", "-rating"]) {
    $0.isOrdered = { ($0.rating ?? -1) >= ($1.rating ?? -1) }
  }
  static let byGroup = ListView(["--section", "group"]) { $0.section = { $0.text("group") } }
  static let highRatings = ListView(["--where", "rating >= 5"]) { $0.shows = { ($0.rating ?? -1) >= 5 } }

  static let all: [ListView] = [
    ListView([]), byRating, highRatings,
    ListView(["--section", "group", "--section-order", "work,nobody", "--sort", "rating"]) {
      $0.section = { $0.text("group") }
      $0.isOrdered = { ($0.rating ?? .max) <= ($1.rating ?? .max) }
      $0.firstSections = ["work", "nobody"]
    },
    ListView(["--section", "@dir", "--sort", "word,@name"]) { $0.section = { $0.folder } },
    ListView(["--search", "red", "--section", "-group"]) {
      $0.shows = { $0.contains("red") }
      $0.section = { $0.text("group") }
    },
    ListView(["--search", "red", "--sort", "@relevance,-rating"]) { $0.shows = { $0.contains("red") } },
    ListView(["--sort", "rating", "--limit", "5", "--offset", "2"]) {
      $0.window = (2, 5)
      $0.isOrdered = { ($0.rating ?? .max) <= ($1.rating ?? .max) }
    },
    ListView(["--id-field", "uid"]) { $0.hasIDField = true },
    ListView(["--id-field", "uid", "--section", "group", "--where", "rating < 7"]) {
      $0.hasIDField = true
      $0.section = { $0.text("group") }
      $0.shows = { ($0.rating ?? -1) < 7 && $0.rating != nil }
    },
    ListView(["--fields", "rating,word"]) { $0.fields = ["rating", "word"] },
  ]

  /// The view `main` of the settings.
  static let named = ListView(["--view", "main"]) { $0.isNamed = true }

  private init(_ arguments: [String], _ change: (inout ListView) -> Void) {
    self.arguments = arguments
    change(&self)
  }

  /// The control line that changes any view to this one.
  var control: [UInt8] {
    var parts = parts
    for name in ListView.names where parts[name] == nil { parts[name] = NSNull() }
    // An object of strings and numbers can always be encoded.
    return Array((try? JSONSerialization.data(withJSONObject: parts, options: .sortedKeys)) ?? Data())
      + Array("\n".utf8)
  }

  /// The parts of the view as JSON, under the keys of the settings.
  var parts: [String: Any] {
    Dictionary(
      uniqueKeysWithValues: parameters.map { name, written -> (String, Any) in
        if ["sort", "section-order", "fields"].contains(name) {
          return (name, written.components(separatedBy: ","))
        }
        return (name, Int(written) ?? written)
      })
  }

  /// The parts of the view as parameters of a URL.
  var parameters: [(name: String, value: String)] {
    (ListView.names + ["view"]).compactMap { name in
      arguments.firstIndex(of: "--\(name)").map { (name, arguments[$0 + 1]) }
    }
  }

  private static let names = [
    "sort", "section", "section-order", "where", "search", "limit", "offset", "fields",
  ]

  var hasSections: Bool { arguments.contains("--section") }

  /// The views that a control line can change this one to. A control line cannot change the id
  /// field.
  var alternatives: [ListView] { isNamed ? [] : ListView.all.filter { $0.hasIDField == hasIDField } }

  func projected(_ entry: FolderEntry) -> NSDictionary {
    guard let fields else { return entry.fields as NSDictionary }
    return entry.fields.filter { fields.contains($0.key) } as NSDictionary
  }
}
