import TestSupport
import Values

/// A change to an item of a data set of products, as its editors make it. It applies to values,
/// which check the merge of texts.
enum ProductEdit {
  /// A field of the release with this cycle.
  case setRelease(cycle: Value, field: String, Value)
  case addRelease(Fields)
  case setField(String, Value)
  /// Replaces one line of the text.
  case setLine(Int, String)

  /// The parts that the edit touches. Two edits that share a part conflict.
  var touched: Set<String> {
    switch self {
    case .setRelease(let cycle, let field, _): ["release \(cycle.text)", "release \(cycle.text) \(field)"]
    case .addRelease(let fields):
      [
        "release \(fields["releaseCycle"]?.text ?? "")",
        "whole release \(fields["releaseCycle"]?.text ?? "")",
      ]
    case .setField(let field, _): ["field \(field)"]
    case .setLine(let line, _): ["line \(line)"]
    }
  }

  func conflicts(with other: ProductEdit) -> Bool {
    let shared = touched.intersection(other.touched)
    // Two fields of one release are independent, unless the release itself is added or removed.
    return shared.contains { !$0.hasPrefix("release ") || $0.split(separator: " ").count > 2 }
      || (!shared.isEmpty && touched.union(other.touched).contains { $0.hasPrefix("whole") })
  }

  func apply(to value: Value) -> Value {
    guard case .map(var fields) = value else { return value }
    switch self {
    case .setRelease(let cycle, let field, let new):
      fields["releases"] = fields["releases"]?.mapElements { release in
        guard release["releaseCycle"] == cycle, case .map(var fields) = release else { return release }
        fields[field] = new
        return .map(fields)
      }
    case .addRelease(let release):
      if case .list(let releases)? = fields["releases"] {
        fields["releases"] = .list([.map(release)] + releases)
      }
    case .setField(let field, let new): fields[field] = new
    case .setLine(let line, let new):
      guard case .string(let body)? = fields["body"] else { break }
      var lines = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.indices.contains(line) { lines[line] = new }
      fields["body"] = .string(lines.joined(separator: "\n"))
    }
    return .map(fields)
  }
}

extension ProductEdit {
  /// Makes a random edit, or nil if the value has nothing to apply it to. Most edits are new
  /// versions of a recent release; others are new releases, dates, links, fields or lines of the
  /// text.
  static func make(for value: Value, _ number: Int, using generator: inout SeededGenerator) -> ProductEdit? {
    guard case .list(let releases)? = value["releases"] else { return nil }
    let recent = releases.prefix(5).compactMap { $0["releaseCycle"] }
    guard !recent.isEmpty, Set(releases.compactMap { $0["releaseCycle"] }).count == releases.count else {
      return nil
    }
    let cycle = generator.one(of: recent)
    switch generator.below(10) {
    case 0...3:
      return .setRelease(cycle: cycle, field: "latest", .string("9.\(number).\(generator.below(100))"))
    case 4:
      return .setRelease(
        cycle: cycle, field: "eol", Value(text: "20\(30 + number % 60)-0\(1 + generator.below(9))-15"))
    case 5: return .setRelease(cycle: cycle, field: "link", .string("https://example.org/\(number)"))
    case 6, 7:
      return .addRelease([
        "releaseCycle": .string("new \(number)"),
        "releaseDate": Value(text: "2026-01-0\(1 + generator.below(9))"), "eol": .bool(false),
        "latest": .string("1.0.\(number)"),
      ])
    case 8:
      guard case .map(let fields) = value else { return nil }
      let names = fields.filter { $0.value.isScalar && $0.key != "body" }.map(\.key)
      return names.isEmpty ? nil : .setField(generator.one(of: names), .string("text \(number)"))
    default:
      guard case .string(let body)? = value["body"] else { return nil }
      let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count < 3
        ? nil : .setLine(generator.below(lines.count - 1), "Line number \(number) is new.")
    }
  }
}

extension Value {
  fileprivate func mapElements(_ body: (Value) -> Value) -> Value {
    if case .list(let elements) = self { .list(elements.map(body)) } else { self }
  }

  /// The value with its releases sorted by cycle.
  var withSortedReleases: Value {
    guard case .map(var fields) = self, case .list(let releases)? = fields["releases"] else { return self }
    fields["releases"] = .list(
      releases.sorted { ($0["releaseCycle"]?.text ?? "") < ($1["releaseCycle"]?.text ?? "") })
    return .map(fields)
  }
}
