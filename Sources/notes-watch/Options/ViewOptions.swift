import ArgumentParser
import PlainStore
import PlainText

/// What to show of a folder. Each option takes the place of what the named view says.
struct ViewOptions: ParsableArguments {
  @Option(
    name: .customLong("view"), parsing: .unconditional,
    help: ArgumentHelp("A view that the folder's .notes-watch.yaml names.", valueName: "name"))
  var viewName: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fields to sort by: -rating,name. A leading - reverses; name:exact compares by code points.", valueName: "fields"))
  var sort: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Cut the list into sections by a field, or by @dir.", valueName: "field"))
  var section: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Sections that come first and stay when empty: a,b,c.", valueName: "ids"))
  var sectionOrder: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only items that fit: 'rating > 7 AND ANY tags = \"new\"'. Several are combined with AND.", valueName: "predicate"))
  var predicates: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only items in which every word appears; case and accents do not count.", valueName: "text")
  )
  var search: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The fields that --search looks at; all by default.", valueName: "fields"))
  var searchFields: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The fields to show: name,address.city,tags[0],tags.@count,`a.b`,/a.b/0. Changes to others are no updates.", valueName: "fields"))
  var fields: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many items.", valueName: "n"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Leave out so many items at the front.", valueName: "n"))
  var offset: Int?

  static let summary = """
      --view NAME             --search TEXT           --fields a,b.c
      --sort -rating,name     --search-fields a,b     --limit N --offset N
      --section FIELD|@dir    --where PREDICATE       --id-field NAME[,NAME...]
      --section-order a,b
    """

  func validate() throws {
    _ = try definition()
  }

  /// What the options say by themselves.
  func definition() throws -> ViewDefinition {
    for (name, text) in [("sort", sort), ("search-fields", searchFields), ("fields", fields)] {
      if let text { try ViewOptions.checkNamesField(text, in: name) }
    }
    var written: Fields = [:]
    written["sort"] = sort.map(Value.string)
    written["section"] = section.map(Value.string)
    written["section-order"] = sectionOrder.map(Value.string)
    written["search"] = search.map(Value.string)
    written["search-fields"] = searchFields.map(Value.string)
    written["fields"] = fields.map(Value.string)
    written["limit"] = limit.map { .number(.integer($0)) }
    written["offset"] = offset.map { .number(.integer($0)) }
    do {
      var view = try ViewDefinition(written)
      // Each by itself first, so that an error points at its column in what was typed.
      for text in predicates { view.predicate = try ItemPredicate(text) }
      if predicates.count > 1 { view.predicate = try ItemPredicate(predicates.map { "(\($0))" }.joined(separator: " AND ")) }
      return view
    } catch let error as ItemPredicateError {
      throw ValidationError("--where does not read as a predicate.\n\(error)")
    } catch let error as SettingsError {
      throw ValidationError("--\(error)")
    }
  }

  /// - Throws: if a text of paths has none. Nobody means that; a variable of a script was empty.
  static func checkNamesField(_ text: String, in option: String) throws {
    if ViewDefinition.splitPaths(text).isEmpty {
      throw ValidationError("--\(option): The value is empty. Name at least one field, or leave the option out.")
    }
  }

  /// How a view is made of the settings, now and whenever they change: the named view, with what `own` says in its place.
  func resolver(_ own: ViewDefinition) -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition {
    let name = viewName
    return { settings throws(SettingsError) in
      try name.map { name throws(SettingsError) in try settings.view(named: name).overridden(by: own) } ?? own
    }
  }
}
