import Store
import TestSupport
import Testing
import Values

@testable import Browse

@Suite struct StoreActionsTests {
  private let ada = "# Ada\nname: Ada\nrating: 5\n"

  @Test func `a deletion is undone byte for byte`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada, "bob.yaml": "name: Bob\n"])
    let driver = try await FollowerDriver.open(folder)
    let deleted = try await driver.perform { .delete($0.painted("ada")) }
    #expect(deleted.message == "Deleted ada.")
    #expect(deleted.nextUndo == UndoSummary(title: "the deletion of ada", count: 1))
    try await driver.wait { driver.ids == ["bob"] }
    let undone = try await driver.perform { _ in .undo }
    #expect(undone.message == "Undid the deletion of ada.")
    #expect(undone.focus == "ada")
    #expect(undone.nextUndo == nil)
    try await driver.wait { driver.ids == ["ada", "bob"] }
    #expect(try folder.bytes(of: "ada.yaml") == Array(ada.utf8))
  }

  @Test func `a view is saved, undone and redone`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    var view = ViewDefinition()
    (view.sort, view.widths) = (["-rating"], ["name": 20])
    let save = ItemAction.saveView("best", view, settings: Settings())
    let saved = try await driver.perform { _ in save }
    #expect(saved.message == "Saved the view best.")
    #expect(saved.nextUndo == UndoSummary(title: "the view best", count: 1))
    #expect(driver.follower.store?.settings.views == ["best": view])
    // The person saw settings without views.
    #expect(try await driver.perform { _ in save }.isFailure)
    #expect(try await driver.perform { _ in .undo }.message == "Undid the view best.")
    #expect((try? folder.text(of: ".notes-watch.yaml")) == nil)
    #expect(try await driver.perform { _ in .redo }.message == "Redid the view best.")
    #expect(driver.follower.store?.settings.views == ["best": view])
  }

  @Test func `several items are one step`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.json": "{\"n\": 1}\n", "c.yaml": "n: 1\n"])
    let driver = try await FollowerDriver.open(folder)
    let changed = try await driver.perform { .assign($0.painted("a", "b", "c"), words: ["n=2"]) }
    #expect(changed.message.hasPrefix("Changed 3 items (a, b, …)."))
    #expect(changed.nextUndo?.count == 3)
    #expect(try folder.bytes(of: "b.json") == Array("{\"n\": \"2\"}\n".utf8))
    let undone = try await driver.perform { _ in .undo }
    #expect(!undone.isFailure)
    #expect(try folder.bytes(of: "b.json") == Array("{\"n\": 1}\n".utf8))
    #expect(try await driver.perform { _ in .undo }.message == "There is nothing to undo.")
  }

  @Test func `an item that changed since it was painted is not deleted, and the difference is given`()
    async throws
  {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let painted = driver.painted("ada")
    try folder.write("name: Ada\nrating: 6\n", to: "ada.yaml")
    let refused = try await driver.perform { _ in .delete(painted) }
    #expect(refused.isFailure)
    #expect(refused.message == "Could not delete ada.yaml: It was changed in the meantime.")
    let difference = String(decoding: refused.difference ?? [], as: UTF8.self)
    #expect(difference.contains("-rating: 5"))
    #expect(difference.contains("+rating: 6"))
    #expect(try folder.bytes(of: "ada.yaml") == Array("name: Ada\nrating: 6\n".utf8))
  }

  @Test func `after a refusal the list has the newest state, also of fields that it does not show`()
    async throws
  {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "views: {names: {fields: [name]}}\n", "ada.yaml": ada,
    ])
    let driver = try await FollowerDriver.open(folder, view: "names")
    let painted = driver.painted("ada")
    try folder.write("name: Ada\nrating: 6\n", to: "ada.yaml")
    await driver.follower.store?.settled()
    #expect(try await driver.perform { _ in .delete(painted) }.isFailure)
    try await driver.wait { driver.snapshot?[id: "ada"]?.value(at: "rating") == 6 }
    let deleted = try await driver.perform { .delete($0.painted("ada")) }
    #expect(deleted.message == "Deleted ada.")
  }

  @Test func `a file that was only touched is still the painted item`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let painted = driver.painted("ada")
    try folder.shell("cp ada.yaml .copy; touch -d 2001-01-01 .copy; mv .copy ada.yaml")
    await driver.follower.store?.settled()
    #expect(try await driver.perform { _ in .delete(painted) }.message == "Deleted ada.")
  }

  @Test func `an undo is refused with the difference if the file changed since`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada, "bob.yaml": "name: Bob\n"])
    let driver = try await FollowerDriver.open(folder)
    #expect(!(try await driver.perform { .delete($0.painted("bob")) }.isFailure))
    #expect(!(try await driver.perform { .assign($0.painted("ada"), words: ["name=Eda"]) }.isFailure))
    try folder.write("name: Eda\nrating: 9\n", to: "ada.yaml")
    let refused = try await driver.perform { _ in .undo }
    #expect(refused.isFailure)
    #expect(refused.difference.map { String(decoding: $0, as: UTF8.self) }?.contains("+rating: 9") == true)
    #expect(try folder.bytes(of: "ada.yaml") == Array("name: Eda\nrating: 9\n".utf8))
    // The refused step stays the next one: nothing older is undone in its place.
    #expect(refused.nextUndo?.title == "the change of ada")
    #expect(try await driver.perform { _ in .undo }.isFailure)
    #expect(driver.ids == ["ada"])
    // It can be undone when the file is as the change left it.
    try folder.write("# Ada\nname: Eda\nrating: 5\n", to: "ada.yaml")
    #expect(try await driver.perform { _ in .undo }.message == "Undid the change of ada.")
    #expect(try folder.bytes(of: "ada.yaml") == Array(ada.utf8))
    #expect(try await driver.perform { _ in .undo }.message == "Undid the deletion of bob.")
  }

  @Test func `what was undone is redone until there is a new action`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada, "bob.yaml": "name: Bob\n"])
    let driver = try await FollowerDriver.open(folder)
    #expect(try await driver.perform { _ in .redo }.message == "There is nothing to redo.")
    #expect(!(try await driver.perform { .assign($0.painted("ada"), words: ["name=Eda"]) }.isFailure))
    #expect(!(try await driver.perform { .delete($0.painted("bob")) }.isFailure))
    #expect(try await driver.perform { _ in .undo }.message == "Undid the deletion of bob.")
    let undone = try await driver.perform { _ in .undo }
    #expect(undone.nextRedo == UndoSummary(title: "the change of ada", count: 1))
    #expect(try await driver.perform { _ in .redo }.message == "Redid the change of ada.")
    #expect(try folder.bytes(of: "ada.yaml") == Array("# Ada\nname: Eda\nrating: 5\n".utf8))
    let redone = try await driver.perform { _ in .redo }
    #expect(redone.message == "Redid the deletion of bob.")
    #expect(redone.nextRedo == nil)
    #expect(try await driver.perform { _ in .undo }.message == "Undid the deletion of bob.")
    let added = try await driver.perform { _ in .add(id: "cleo", words: ["name=Cleo"]) }
    #expect(added.nextRedo == nil)
    #expect(try await driver.perform { _ in .redo }.isFailure)
  }

  @Test func `a redo is refused with the difference if the file changed since, and stays the next one`()
    async throws
  {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    _ = try await driver.perform { .assign($0.painted("ada"), words: ["name=Eda"]) }
    _ = try await driver.perform { _ in .undo }
    try folder.write("name: Ida\n", to: "ada.yaml")
    for _ in 0..<2 {
      let refused = try await driver.perform { _ in .redo }
      #expect(refused.message == "Could not redo ada.yaml: It was changed in the meantime.")
      #expect(refused.difference.map { String(decoding: $0, as: UTF8.self) }?.contains("+name: Ida") == true)
      #expect(refused.nextRedo?.title == "the change of ada")
    }
    #expect(try folder.bytes(of: "ada.yaml") == Array("name: Ida\n".utf8))
  }

  @Test(arguments: Randomness.seeds(12))
  func `undo and redo never change what another program wrote`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "c"]
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ("\($0).yaml", "n: 0\n") }))
    let driver = try await FollowerDriver.open(folder)
    // The texts of other programs, which only an action on the painted item may change.
    var foreign: [String: [UInt8]] = [:]
    for round in 1...25 {
      let name = random.one(of: names)
      let path = "\(name).yaml"
      switch random.below(6) {
      case 0:
        let text = Array("n: other \(round)\n".utf8)
        try folder.write(text, to: path)
        foreign[path] = text
        await driver.follower.store?.settled()
        try await driver.wait {
          driver.snapshot?[id: Item.ID(printed: name)]?.value(at: "n")?.text == "other \(round)"
        }
      case 1, 2:
        let items = driver.painted(Item.ID(printed: name))
        var action = ItemAction.add(id: name, words: ["n=\(round)"])
        if !items.isEmpty {
          action = random.oneIn(3) ? .delete(items) : .assign(items, words: ["n=\(round)"])
        }
        let outcome = try await driver.perform { [action] _ in action }
        if !outcome.isFailure { foreign[path] = nil }
        await driver.follower.store?.settled()
        let isGone = (try? folder.bytes(of: path)) == nil
        try await driver.wait { (driver.snapshot?[id: Item.ID(printed: name)] == nil) == isGone }
      default:
        let action = random.oneIn(2) ? ItemAction.undo : .redo
        _ = try await driver.perform { _ in action }
      }
      for (path, text) in foreign {
        #expect((try? folder.bytes(of: path)) == text, "round \(round), \(path); \(seedNote(seed))")
      }
    }
  }

  @Test func `an undo of a deletion never replaces a new file`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    _ = try await driver.perform { .delete($0.painted("ada")) }
    try folder.write("name: Another\n", to: "ada.yaml")
    let refused = try await driver.perform { _ in .undo }
    #expect(refused.isFailure)
    #expect(
      refused.difference.map { String(decoding: $0, as: UTF8.self) }?.contains("+name: Another") == true)
    #expect(try folder.bytes(of: "ada.yaml") == Array("name: Another\n".utf8))
  }

  @Test func `a new item has the defaults of the settings, and an undo removes it`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "defaults: {rating: 3, address: {country: UK}}\n", "bob.yaml": "name: Bob\n",
    ])
    let driver = try await FollowerDriver.open(folder)
    let added = try await driver.perform { _ in
      .add(id: "friends/ada", words: ["name=Ada", "address.city=London"])
    }
    #expect(added.message == "Added friends/ada.")
    let text = String(decoding: try folder.bytes(of: "friends/ada.yaml"), as: UTF8.self)
    #expect(text.contains("rating: 3"))
    #expect(text.contains("country: UK"))
    #expect(text.contains("city: London"))
    #expect(try await driver.perform { _ in .undo }.message == "Undid the addition of friends/ada.")
    try await driver.wait { driver.ids == ["bob"] }
  }

  @Test(arguments: ["", "../ada", "a/../../b", "ada"])
  func `an item that cannot be added is refused with a sentence`(_ id: String) async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let refused = try await driver.perform { _ in .add(id: id, words: []) }
    #expect(refused.isFailure)
    #expect(refused.message.hasSuffix("."))
    #expect(driver.ids == ["ada"])
  }

  @Test func `a word that is wrong changes nothing`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let refused = try await driver.perform { .assign($0.painted("ada"), words: ["rating=6", "rating"]) }
    #expect(refused.message == "ada: `rating` is not a field assignment.")
    #expect(try folder.bytes(of: "ada.yaml") == Array(ada.utf8))
  }

  @Test func `an item in several sections is changed once`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "tags: [x, y]\n"])
    let driver = try await FollowerDriver.open(folder)
    let item = try #require(driver.snapshot?[id: "ada"])
    let rows = ["x", "y"].map { PaintedItem(Item.ID("ada", in: SectionID($0)), item.revision) }
    let deleted = try await driver.perform { _ in .delete(rows) }
    #expect(deleted.message == "Deleted ada.")
    #expect(deleted.nextUndo?.count == 1)
  }

  @Test func `an action after an own one is based on what that left, although it is not painted`()
    async throws
  {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let painted = driver.painted("ada")
    for word in ["rating=6", "name=Eda", "rating=7"] {
      #expect(try await driver.perform { _ in .assign(painted, words: [word]) }.message == "Changed ada.")
    }
    #expect(try folder.bytes(of: "ada.yaml") == Array("# Ada\nname: Eda\nrating: \"7\"\n".utf8))
    #expect(try await driver.perform { _ in .undo }.message == "Undid the change of ada.")
    #expect(try await driver.perform { _ in .delete(painted) }.message == "Deleted ada.")
  }

  @Test func `a change of another program after an own one is not overwritten`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada])
    let driver = try await FollowerDriver.open(folder)
    let painted = driver.painted("ada")
    #expect(!(try await driver.perform { _ in .assign(painted, words: ["rating=6"]) }.isFailure))
    try folder.write("name: Eve\n", to: "ada.yaml")
    await driver.follower.store?.settled()
    #expect(try await driver.perform { _ in .delete(painted) }.isFailure)
    #expect(try await driver.perform { _ in .assign(painted, words: ["rating=7"]) }.isFailure)
    #expect(try folder.bytes(of: "ada.yaml") == Array("name: Eve\n".utf8))
  }

  @Test func `an outcome names the items that were refused`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": ada, "bob.yaml": "name: Bob\n"])
    let driver = try await FollowerDriver.open(folder)
    let painted = driver.painted("ada", "bob")
    try folder.write("name: Robert\n", to: "bob.yaml")
    await driver.follower.store?.settled()
    let outcome = try await driver.perform { _ in .assign(painted, words: ["rating=6"]) }
    #expect(outcome.isFailure)
    #expect(outcome.refused == ["bob"])
  }

  @Test func `control characters of an id do not reach a message`() async throws {
    let folder = try TemporaryFolder(["a\u{1B}[31m.yaml": "n: 1\n"])
    let driver = try await FollowerDriver.open(folder)
    let item = try #require(driver.snapshot?.first)
    let deleted = try await driver.perform { _ in .delete([PaintedItem(item.id, item.revision)]) }
    #expect(!deleted.isFailure)
    #expect(!deleted.message.unicodeScalars.contains("\u{1B}"))
  }
}
