import HTTPTypes
package import Store
import Streams

/// The view that the parameters of a target describe. They have the names and values of the options
/// of `notes-watch list`: `view`, `sort`, `section`, `section-order`, `where` (several are joined by
/// AND), `search` or `query`, `search-fields`, `fields`, `limit` and `offset`.
package struct ViewParameters: Hashable {
  /// The name of a view in the settings of the folder; nil for none.
  package var name: String?
  /// The parts of the view that the parameters give.
  package var own: ViewDefinition

  package static let names = [
    "view", "sort", "section", "section-order", "where", "search", "query", "search-fields", "fields",
    "limit", "offset",
  ]

  package init(name: String? = nil, own: ViewDefinition = ViewDefinition()) {
    self.name = name
    self.own = own
  }

  /// Reads the view of a target: 400 if a parameter is unknown, given twice or malformed. For a predicate or a
  /// query the code is `predicate` or `query`, and the document has its `text` and the `column` of the error in
  /// characters from 1.
  package init(_ target: RequestTarget, others: [String] = []) throws(ProblemDocument) {
    try target.allowOnly(ViewParameters.names + others)
    var written: Fields = [:]
    for key in ["sort", "section", "section-order", "search", "query", "search-fields", "fields"] {
      written[key] = try target.value(key).map(Value.string)
    }
    do throws(ItemPredicateError) {
      if case .string(let text)? = written["query"] { _ = try SearchQuery(text) }
    } catch {
      throw ProblemDocument(error, of: "query")
    }
    for key in ["limit", "offset"] {
      written[key] = try ViewParameters.count(target, key).map { .integer($0) }
    }
    name = try target.value("view")
    do {
      own = try ViewDefinition(written)
    } catch {
      throw .parameter(error.keys.first ?? "", "\(error)")
    }
    let predicates = target.values("where")
    for text in predicates { own.predicate = try ViewParameters.predicate(text) }
    if predicates.count > 1 {
      own.predicate = try ViewParameters.predicate(predicates.map { "(\($0))" }.joined(separator: " AND "))
    }
  }

  /// Puts the view of a client on top of that of the command line. A client that names a view gets that one;
  /// the empty name is the complete folder. Otherwise the command line gives the parts that the client leaves
  /// out.
  package func over(_ base: ViewParameters) -> ViewParameters {
    switch name {
    case nil: ViewParameters(name: base.name, own: base.own.overridden(by: own))
    case "": ViewParameters(own: own)
    default: self
    }
  }

  /// Returns a function that makes the view from the settings, now and whenever they change.
  package func resolver() -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition {
    { [name, own] settings throws(SettingsError) in
      let view = try name.map { name throws(SettingsError) in
        try settings.view(named: name).overridden(by: own)
      }
      return try (view ?? own).checked()
    }
  }

  /// The definition of the view: 404 if the settings have no such view.
  func definition(in settings: Settings) throws(ProblemDocument) -> ViewDefinition {
    do throws(SettingsError) {
      return try resolver()(settings)
    } catch {
      throw error.isMismatch ? .parameter(error.keys[0], "\(error)") : .unknownView(error)
    }
  }

  private static func predicate(_ text: String) throws(ProblemDocument) -> ItemPredicate {
    do {
      return try ItemPredicate(text)
    } catch {
      throw ProblemDocument(error, of: "where")
    }
  }

  private static func count(_ target: RequestTarget, _ name: String) throws(ProblemDocument) -> Int? {
    guard let text = try target.value(name) else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw .parameter(name, "\(name): expected a number from 0, found `\(text)`.")
    }
    return count
  }
}

extension ProblemDocument {
  static func unknownView(_ error: SettingsError) -> ProblemDocument {
    ProblemDocument(
      .notFound, error.message, code: "unknown-view", members: ["parameter": .string("view")])
  }

  fileprivate init(_ error: ItemPredicateError, of parameter: String) {
    self.init(
      .badRequest, "\(parameter), column \(error.column): \(error.message)",
      code: parameter == "where" ? "predicate" : parameter,
      members: [
        "parameter": .string(parameter), "text": .string(error.text), "column": .integer(error.column),
      ])
  }
}

extension [RequestTarget.Parameter] {
  /// Refuses a `where` among these parameters whose quotes were forgotten, or a `query` with an unknown field
  /// (400). That of the command line or the settings is not the client's mistake.
  func checkQuotes(_ strings: [UnquotedString]) throws(ProblemDocument) {
    for string in strings {
      let name = string.isInQuery ? "query" : "where"
      if contains(where: { $0.name == name }) { throw ProblemDocument(string.error, of: name) }
    }
  }
}

extension ServerRequest {
  /// The view of the request, based on that of the command line: 400 if a parameter is malformed, 404 if
  /// there is no such view.
  func view(_ context: WebContext, others: [String] = []) throws(ProblemDocument) -> ViewDefinition {
    try ViewParameters(target, others: others).over(context.base).definition(in: context.store.settings)
  }

  /// The value of a parameter that the route needs: 400 if it is not there, or there twice.
  package func needed(_ name: String) throws(ProblemDocument) -> String {
    if let value = try target.value(name) { return value }
    throw .parameter(name, "The parameter `\(name)` is missing. Write \(target.path)?\(name)=…")
  }
}
