import Query
@testable import Store
import Testing
import TextEdits
import Values
import Streams

@testable import Folder

struct SettingsTests {
  @Test func `every setting is read`() throws {
    let settings = try Settings(
      yaml(
        """
        views:
          friends: {sort: [lastName]}
          all: {}
        id-field: [uuid, address.city]
        ignore: [README.md, drafts/]
        defaults: {createdAt: 2024-01-01}
        merge: {fields: {rating: max, tags: set, people: {by: name}, people.seen: max}}
        """))
    var friends = ViewDefinition()
    friends.sort = ["lastName"]
    let defaults = try ItemDefaults(["createdAt": Value(text: "2024-01-01")], at: [])
    var rules = MergeRules()
    rules["rating"] = .max
    rules["tags"] = .set
    rules["people"] = .keyed(by: "name")
    rules["people.seen"] = .max
    #expect(
      settings
        == Settings(
          views: ["friends": friends, "all": ViewDefinition()], idFields: ["uuid", "address.city"],
          ignore: ["README.md", "drafts/"],
          defaults: defaults, mergeRules: rules))
  }

  @Test func `a string with commas is read as a list`() throws {
    let settings = try Settings(yaml("id-field: uuid , name\nignore: 'a.md,b c.md'"))
    #expect(settings.idFields == ["uuid", "name"])
    #expect(settings.ignore == ["a.md", "b c.md"])
  }

  @Test func `an empty file has the default settings`() throws {
    #expect(try Settings(yaml("# nothing yet\n")) == Settings())
    #expect(try Settings(yaml("{}")) == Settings())
  }

  @Test(arguments: [
    ("[a]", [], "Expected a map, found a list."),
    (
      "merge: {rating: max}", ["merge", "rating"],
      "There is no setting `rating` here. The only setting is fields."
    ),
    (
      "merge: {fields: {a: maxx}}", ["merge", "fields", "a"],
      "There is no merge rule `maxx`. Did you mean `max`? The rules are max, min, union, set, ordered, ours, theirs and {by: KEY}."
    ),
    (
      "merge: {fields: {a: {b: c}}}", ["merge", "fields", "a", "b"],
      "There is no setting `b` here. Did you mean `by`? The only setting is by."
    ),
    (
      "merge: {fields: {a: {}}}", ["merge", "fields", "a"],
      "`by` is missing. Write the key that identifies the maps of this list, as in {by: name}."
    ),
    ("text", [], "Expected a map, found a string."),
    ("views: [a]", ["views"], "Expected a map, found a list."),
    ("id-field: {a: b}", ["id-field"], "Expected a string, found a map."),
    (
      "id-field: [a..b]", ["id-field"],
      "`a..b`, column 3: A key is missing here. Write single dots between keys, and two backquotes for an empty key."
    ),
    ("ignore: [[a]]", ["ignore"], "Expected a string, found a list."),
    ("ignore: [null]", ["ignore"], "Expected a string, found nothing."),
    (
      "view: {}", ["view"],
      "There is no setting `view` here. Did you mean `views`? The settings are views, id-field, ignore, defaults, merge."
    ),
    (
      "commands: [rm]", ["commands"],
      "There is no setting `commands` here. The settings are views, id-field, ignore, defaults, merge."
    ),
  ])
  func `an error has its place and its reason`(text: String, keys: [String], message: String) throws {
    let written = try yaml(text)
    #expect(throws: SettingsError(keys, message)) { try Settings(written) }
  }

  @Test func `a view that cannot be read does not affect the others`() throws {
    let settings = try Settings(yaml("views: {a: b, c: {limit: 3}, d: {limit: many}}\nignore: [x]"))
    #expect(settings.ignore == ["x"])
    #expect(try settings.view(named: "c").limit == 3)
    let errors = [
      SettingsError(["views", "a"], "Expected a map, found a string."),
      SettingsError(
        ["views", "d", "limit"], "Expected an integer from 0 to \(Int.max), found a string `many`."),
    ]
    #expect(settings.viewErrors == errors)
    #expect(throws: errors[0]) { try settings.view(named: "a") }
    #expect(throws: errors[1]) { try settings.view(named: "d") }
    let older = try Settings(yaml("views: {d: {limit: 5}, e: {}}"))
    let kept = settings.keepingViews(of: older)
    #expect(try kept.view(named: "d").limit == 5)
    #expect(throws: errors[0]) { try kept.view(named: "a") }
    #expect(kept.views.keys.sorted() == ["c", "d"])
  }

  @Test func `an error names the keys that lead to it`() {
    #expect(SettingsError(["views", "a"], "No.").description == "views.a: No.")
    #expect(SettingsError([], "No.").description == "No.")
  }

  @Test func `an unknown view is refused with the names of the views`() throws {
    let settings = Settings(views: ["friends": ViewDefinition(), "all": ViewDefinition()])
    #expect(throws: Never.self) { try settings.view(named: "friends") }
    #expect(
      throws: SettingsError(
        ["views"], "There is no view `freinds`. Did you mean `friends`? The views are all, friends.")
    ) {
      try settings.view(named: "freinds")
    }
    #expect(throws: SettingsError(["views"], "There is no view `work`. The views are all, friends.")) {
      try settings.view(named: "work")
    }
    #expect(
      throws: SettingsError(
        ["views"], "There is no view `work`: the .notes-watch.yaml of the data set defines no views.")
    ) {
      try Settings().view(named: "work")
    }
  }
}
