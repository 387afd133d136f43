import PlainText
import Testing

@testable import PlainStore

struct SettingsTests {
  @Test func `Every setting is read`() throws {
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
          views: ["friends": friends, "all": ViewDefinition()], idFields: ["uuid", "address.city"], ignore: ["README.md", "drafts/"],
          defaults: defaults, mergeRules: rules))
  }

  @Test func `One text with commas is a list`() throws {
    let settings = try Settings(yaml("id-field: uuid , name\nignore: 'a.md,b c.md'"))
    #expect(settings.idFields == ["uuid", "name"])
    #expect(settings.ignore == ["a.md", "b c.md"])
  }

  @Test func `A file that says nothing is all defaults`() throws {
    #expect(try Settings(yaml("# nothing yet\n")) == Settings())
    #expect(try Settings(yaml("{}")) == Settings())
  }

  @Test(arguments: [
    ("[a]", [], "A map is expected here, not a list."),
    ("merge: {rating: max}", ["merge", "rating"], "There is no setting `rating` here. Known are: fields."),
    (
      "merge: {fields: {a: maxx}}", ["merge", "fields", "a"],
      "There is no rule `maxx`. Did you mean `max`? Known are: max, min, union, set, ordered, ours, theirs, and {by: KEY}."
    ),
    ("merge: {fields: {a: {b: c}}}", ["merge", "fields", "a", "b"], "There is no setting `b` here. Did you mean `by`? Known are: by."),
    ("merge: {fields: {a: {}}}", ["merge", "fields", "a"], "`by` is missing: the key that tells the maps of this list apart."),
    ("text", [], "A map is expected here, not a text."),
    ("views: [a]", ["views"], "A map is expected here, not a list."),
    ("id-field: {a: b}", ["id-field"], "A text is expected here, not a map."),
    (
      "id-field: [a..b]", ["id-field"],
      "`a..b`, column 3: A key is missing here. Write single dots between keys, and two backquotes for an empty key."
    ),
    ("ignore: [[a]]", ["ignore"], "A text is expected here, not a list."),
    ("ignore: [null]", ["ignore"], "A text is expected here, not nothing."),
    ("view: {}", ["view"], "There is no setting `view` here. Did you mean `views`? Known are: views, id-field, ignore, defaults, merge."),
    ("commands: [rm]", ["commands"], "There is no setting `commands` here. Known are: views, id-field, ignore, defaults, merge."),
  ])
  func `What is wrong is said with its place`(text: String, keys: [String], message: String) throws {
    let written = try yaml(text)
    #expect(throws: SettingsError(keys, message)) { try Settings(written) }
  }

  @Test func `A view that cannot be read concerns no other`() throws {
    let settings = try Settings(yaml("views: {a: b, c: {limit: 3}, d: {limit: many}}\nignore: [x]"))
    #expect(settings.ignore == ["x"])
    #expect(try settings.view(named: "c").limit == 3)
    let errors = [
      SettingsError(["views", "a"], "A map is expected here, not a text."),
      SettingsError(["views", "d", "limit"], "A whole number, 0 or more, is expected here, not a text `many`."),
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

  @Test func `An error names the keys that lead to it`() {
    #expect(SettingsError(["views", "a"], "No.").description == "views.a: No.")
    #expect(SettingsError([], "No.").description == "No.")
  }

  @Test func `A view that is not there is answered with those that are`() throws {
    let settings = Settings(views: ["friends": ViewDefinition(), "all": ViewDefinition()])
    #expect(throws: Never.self) { try settings.view(named: "friends") }
    #expect(throws: SettingsError(["views"], "There is no view `freinds`. Did you mean `friends`? Known are: all, friends.")) {
      try settings.view(named: "freinds")
    }
    #expect(throws: SettingsError(["views"], "There is no view `work`. Known are: all, friends.")) { try settings.view(named: "work") }
    #expect(throws: SettingsError(["views"], "There is no view `work`: the data set's .notes-watch.yaml names none.")) {
      try Settings().view(named: "work")
    }
  }
}
