import Query
@testable import Store
import Testing
import TextEdits

struct EditScopeTests {
  private static func said(_ change: (inout EditScope) -> Void) -> [String] {
    var scope = EditScope()
    change(&scope)
    return scope.changes.map { change in
      let act =
        switch change.act {
        case .insert(.fields, _, _), .insert(.planned, _, _): "insert"
        case .insert(.text, _, _): "insert text"
        case .update: "update"
        case .replace: "replace"
        case .delete: "delete"
        }
      return "\(act) \(change.id)" + (change.edits.isEmpty ? "" : " \(change.edits.count)")
    }
  }

  private static let edit = TextEdit.set("a", 1)

  @Test func `several changes to one item become one`() {
    let said = Self.said { scope in
      scope.update("a", [Self.edit])
      scope.update("b", [Self.edit])
      scope.update("a", [Self.edit, Self.edit])
      scope.update("a", [])
    }
    #expect(said == ["update a 3", "update b 1"])
  }

  @Test func `a scope prints its changes`() {
    var scope = EditScope()
    #expect("\(scope)" == "no changes")
    scope.update("a", [Self.edit])
    scope.rename("a", to: "b")
    scope.rename("c", to: "d")
    scope.delete("e")
    #expect("\(scope)" == "update a and rename a to b, rename c to d, delete e")
    scope.delete("b")
    scope.delete("d")
    #expect("\(scope)" == "delete a, delete c, delete e")
  }

  @Test func `a pending insertion can be changed and deleted`() {
    let said = Self.said { scope in
      scope.insert("a", fields: [:])
      scope.update("a", [Self.edit])
      scope.insert("b", fields: [:])
      scope.delete("b")
      scope.insert("c", fields: [:])
      scope.replace("c", with: [])
    }
    #expect(said == ["insert a 1", "insert text c"])
  }

  @Test func `a deletion discards earlier edits and may be followed by an insertion`() {
    let said = Self.said { scope in
      scope.update("a", [Self.edit])
      scope.delete("a")
      scope.delete("a")
      scope.insert("a", fields: [:])
      scope.update("a", [Self.edit])
      scope.replace("b", with: [])
      scope.update("b", [Self.edit])
      scope.replace("b", with: [])
    }
    #expect(said == ["delete a", "insert a 1", "replace b"])
  }

  @Test func `a copy is an independent scope, and a rollback empties only one`() {
    var scope = EditScope()
    #expect(!scope.hasChanges)
    scope.delete("a")
    var copy = scope
    copy.rollback()
    #expect(scope.hasChanges)
    #expect(scope.changes.map(\.id) == ["a"])
    #expect(!copy.hasChanges)
  }
}
