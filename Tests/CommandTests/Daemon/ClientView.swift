import Foundation
import TestSupport

/// A view as a client of the daemon writes it, and as `list` has it on its command line.
struct ClientView: CustomStringConvertible {
  private static let keys = ["sort", "section", "where", "search", "limit"]

  /// The parts by their keys.
  private let parts: [String: String]

  /// Chooses a view that shows at least the sort order, and mostly hides some items.
  init(_ random: inout SeededGenerator) {
    var parts: [String: String] = [:]
    parts["sort"] = random.one(of: ["-rating,name", "name", "@path", "group,-@id", "@modified"])
    if parts["sort"] == "@modified" { parts["sort"] = "name" }
    if random.oneIn(2) { parts["section"] = random.one(of: ["group", "-group", "@dir"]) }
    if random.oneIn(3) {
      parts["where"] = random.one(of: ["rating > 4", "group = \"work\"", "NOT name CONTAINS \"a\""])
    }
    if random.oneIn(3) { parts["search"] = random.one(of: ["a", "wo", "1", "zz"]) }
    if random.oneIn(4) { parts["limit"] = "\(1 + random.below(8))" }
    self.parts = parts
  }

  /// All items in the order of their ids.
  init() { parts = [:] }

  /// True if the view has sections.
  var hasSections: Bool { parts["section"] != nil }

  /// The options of `list`.
  var arguments: [String] { ClientView.keys.flatMap { key in parts[key].map { ["--\(key)=\($0)"] } ?? [] } }

  /// The view in a request.
  var json: String { object(missing: nil) }

  /// The control line that changes any view to this one.
  var controlLine: String { object(missing: "null") }

  var description: String { json }

  private func object(missing: String?) -> String {
    let fields = ClientView.keys.compactMap { key -> String? in
      guard let part = parts[key] else { return missing.map { "\"\(key)\":\($0)" } }
      return "\"\(key)\":"
        + (key == "limit" ? part : "\"\(part.replacingOccurrences(of: "\"", with: "\\\""))\"")
    }
    return "{\(fields.joined(separator: ","))}"
  }
}

/// The rows that a list has, in their order.
struct ListRows: Equatable {
  struct Row: Equatable {
    let section: String
    let id: String
    let path: String
    let value: JSON
  }

  let rows: [Row]

  /// The rows that `list` prints for a view.
  init(printedFor view: ClientView, in folder: String) async throws {
    let end = try await BuiltProgram.start(["list", folder, "-o", "json", "--no-cache"] + view.arguments)
      .end()
    guard end.status == .exited(0) else { throw Program.Timeout(description: end.errorText) }
    rows = try JSON(end.output).list.map {
      Row(
        section: $0.section.string ?? "", id: $0.id.string ?? "", path: $0.path.string ?? "", value: $0.value)
    }
  }

  /// The rows of a stream.
  init(of reader: StreamReader) throws {
    rows = try reader.sections.flatMap { section in
      try section.items.map { id in
        let value =
          try reader.values[id].map { try JSON(JSONSerialization.data(withJSONObject: $0)) } ?? .null
        return Row(
          section: section.id.description, id: id.description, path: reader.paths[id]?.description ?? "",
          value: value)
      }
    }
  }
}
