import ArgumentParser
import Store
import Streams

/// The options that select the items and fields to show. Each one replaces the same part of the named view.
struct ViewOptions: ParsableArguments {
  @Option(
    name: .customLong("view"), parsing: .unconditional,
    help: ArgumentHelp(
      "Use a view that the folder's .notes-watch.yaml defines. Other options replace parts of it.",
      valueName: "NAME"))
  var viewName: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Sort by these fields: -rating,name. A leading - reverses the order; name:exact compares code \
      points. Items without a value come last, or first with due:nulls-first.
      """,
      valueName: "FIELDS"))
  var sort: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Divide the list into sections by a field, or by @dir, the file's folder.", valueName: "FIELD"))
  var section: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show these sections first, even if they are empty: a,b,c.", valueName: "IDS"))
  var sectionOrder: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Show only items that match: 'rating > 7 AND ANY tags = \"new\"'. If given several times, items \
      must match all.
      """,
      valueName: "PREDICATE"))
  var predicates: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show only items that contain every word. Case and accents are ignored.", valueName: "TEXT")
  )
  var search: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Search with a grammar, instead of --search: 'tags:garden -done:true "apple tree" OR rating:>=4'.
      """, valueName: "QUERY"))
  var query: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Search only in these fields; the default is all fields and the id.", valueName: "FIELDS"))
  var searchFields: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Show only these fields: name,address.city,tags[0],tags.@count,`a.b`,/a.b/0. Changes to other \
      fields cause no update.
      """,
      valueName: "FIELDS"))
  var fields: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Show at most N items.", valueName: "N"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip the first N items.", valueName: "N"))
  var offset: Int?

  func validate() throws { _ = try definition() }

  func definition() throws -> ViewDefinition {
    for (name, text) in [("sort", sort), ("search-fields", searchFields), ("fields", fields)] {
      if let text { try ViewOptions.checkNamesField(text, in: name) }
    }
    var written: Fields = [:]
    for (key, text) in [
      ("sort", sort), ("section", section), ("section-order", sectionOrder), ("search", search),
      ("query", query), ("search-fields", searchFields), ("fields", fields),
    ] {
      written[key] = text.map(Value.string)
    }
    for (key, number) in [("limit", limit), ("offset", offset)] {
      try ViewOptions.checkCount(number, of: "--\(key)")
      written[key] = number.map { .integer($0) }
    }
    do {
      if let query { _ = try SearchQuery(query) }
    } catch {
      throw ValidationError("--query: The query is not valid.\n\(error)")
    }
    do {
      var view = try ViewDefinition(written)
      // Each one is parsed alone first, so that an error has the column in the option as it was typed.
      for text in predicates { view.predicate = try ItemPredicate(text) }
      if predicates.count > 1 {
        view.predicate = try ItemPredicate(predicates.map { "(\($0))" }.joined(separator: " AND "))
      }
      return view
    } catch let error as ItemPredicateError {
      throw ValidationError("--where: The predicate is not valid.\n\(error)")
    } catch let error as SettingsError {
      throw ValidationError("--\(error)")
    }
  }

  /// Call it before anything is printed. In a view of the settings, missing quotes and unknown fields are
  /// warnings, because the command line is right.
  func checkQuotes(_ strings: [UnquotedString]) throws {
    if let message = try definition().refusal(of: strings) { throw Failure(.badData, message) }
  }

  /// A list of fields must not be empty: probably a variable of a script was.
  static func checkNamesField(_ text: String, in option: String) throws {
    if ViewDefinition.splitPaths(text).isEmpty {
      throw ValidationError(
        "--\(option): The value is empty. Name at least one field, or leave the option out.")
    }
  }

  static func checkCount(_ count: Int?, of option: String) throws {
    if let count, count < 0 { throw ValidationError("\(option) must not be negative.") }
  }

  /// Makes the view now and whenever the settings change: the named one, overridden by `own`.
  func resolver(_ own: ViewDefinition) -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition {
    let name = viewName
    return { settings throws(SettingsError) in
      let view = try name.map { name throws(SettingsError) in
        try settings.view(named: name).overridden(by: own)
      }
      return try (view ?? own).checked()
    }
  }
}
