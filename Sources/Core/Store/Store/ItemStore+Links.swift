public import Query

/// The treatment of the links to an item that is deleted, as in Core Data.
public enum DeleteRule: String, Sendable, CustomStringConvertible {
  /// The item is not deleted while other items have links to it.
  case deny
  /// The links to it are removed: an optional link has no field afterwards, and a list has one element less.
  case nullify
  /// The items that have links to it are deleted too, and so are those that have links to these.
  case cascade

  /// The name of the rule.
  public var description: String { rawValue }
}

/// Links between items, which are found by the models that the store knows: those that it was used with, and
/// those of `register`.
extension ItemStore {
  /// Returns the items that have a link to an item now, in the order of their paths.
  ///
  /// ```swift
  /// store.register(Book.self)
  /// print(store.items(linkingTo: "people/ada").map(\.id))
  /// ```
  ///
  /// The links are those of the models that the store knows: types that it was used with, or that were named to
  /// `register`. An item that does not decode has none. The item itself need not exist. Costs O(n), and the
  /// decoding of the items that these types may have.
  public func items(linkingTo id: some ItemIDConvertible) -> [Item] {
    let id = id.itemID.item
    return linkers(of: id, in: currentState).sorted { $0.path < $1.path }
  }

  /// Deletes an item and treats the links to it by a rule, all or nothing: if one of the files cannot be changed,
  /// all others are put back.
  ///
  /// ```swift
  /// store.register(Book.self)
  /// try await store.delete("people/ada", links: .nullify)
  /// ```
  ///
  /// The links are those of the models that the store knows, as in ``items(linkingTo:)``. One that another task or
  /// program makes at the same moment is not seen. Costs O(n), and a save of the items that change.
  ///
  /// - Returns: The outcomes of all items that changed; its `inverse` brings everything back.
  /// - Throws: `EditError` with the code `linked` if the rule is `deny` and there is a link, if it is `nullify` and
  ///   a model needs its link, or if the store knows no model; the error of `validate` of a model without its
  ///   link. `SaveError` if a file cannot be changed. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func delete(_ id: some ItemIDConvertible, links rule: DeleteRule)
    async throws -> SaveReport
  {
    let id = id.itemID.item
    return try await saveAtomically(id) { scope, state in
      if models.isEmpty {
        throw EditError(
          .linked, id, state.items[id]?.path, "The store knows no model, so it cannot find links.",
          advice: "Name the types with links: `store.register(Book.self)`.")
      }
      var deleted: Set<Item.ID> = [id]
      var rest = [id]
      scope.delete(id)
      while let next = rest.popLast() {
        let linkers = linkers(of: next, in: state).filter { !deleted.contains($0.id) }.sorted {
          $0.path < $1.path
        }
        switch rule {
        case .deny:
          if let first = linkers.first { throw EditError(linked: id, by: first, of: linkers.count, state) }
        case .nullify:
          for item in linkers { scope.update(item.id, try models.edits(of: item, from: id, to: nil)) }
        case .cascade:
          for item in linkers where deleted.insert(item.id).inserted {
            scope.delete(item.id)
            rest.append(item.id)
          }
        }
      }
    }
  }

  /// Gives an item another id. Where ids are paths, its file moves and keeps its extension; where ids are fields,
  /// they are set. The links to it lead to the new id, all or nothing: if one of the files cannot be changed,
  /// all others are put back.
  ///
  /// ```swift
  /// try await store.rename("ada", to: "friends/ada")
  /// ```
  ///
  /// The links are those of the models that the store knows, as in ``items(linkingTo:)``. To rename without
  /// them, save a scope with ``EditScope/rename(_:to:)``. Costs O(n), and a save of the items that change.
  ///
  /// - Returns: The outcomes of all items that changed, first that of the item; its `inverse` brings all back.
  /// - Throws: `EditError` if the item cannot be renamed: with the code `exists` if there is an item with the
  ///   new id, with `linked` if a link cannot have it. `SaveError` if another file cannot be changed. The
  ///   error of `validate` of a model with a link. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func rename(_ id: some ItemIDConvertible, to newID: some ItemIDConvertible)
    async throws -> SaveReport
  {
    let (id, newID) = (id.itemID.item, newID.itemID.item)
    return try await saveAtomically(id) { scope, state in
      scope.rename(id, to: newID)
      if id == newID || models.isEmpty { return }
      for item in linkers(of: id, in: state).sorted(by: { $0.path < $1.path }) {
        scope.update(item.id == id ? newID : item.id, try models.edits(of: item, from: id, to: newID))
      }
    }
  }

  private func linkers(of id: Item.ID, in state: StoreState) -> [Item] {
    if models.isEmpty { return [] }
    return state.items.lazy.map(\.value).filter { models.hasLink($0, to: id) }
  }

  /// Makes all changes of a scope or none, and plans them again while other programs change the items.
  private nonisolated(nonsending) func saveAtomically(
    _ id: Item.ID, _ plan: (inout EditScope, StoreState) throws -> Void
  ) async throws -> SaveReport {
    let turn = await beginTurn(of: [id])
    defer { turn.end() }
    var tries = TryLimit()
    while true {
      let isLast = tries.isLast()
      var scope = makeEditScope()
      try plan(&scope, scope.base?.state ?? EditScope.noState)
      if let error = scope.validateEdits() { throw error }
      let isSingle = scope.changes.count == 1 && scope.changes.allSatisfy(\.edits.isEmpty)
      let report = try await saveEach(scope, .error, turn: nil, atomically: !isSingle)
      if !isLast, report.failures.contains(where: \.dependsOnPolicy),
        !report.outcomes.contains(where: \.isWritten)
      {
        continue
      }
      if let error = report.failures.first(where: { $0.id == id && $0.code != .rolledBack }) { throw error }
      try report.check()
      return report
    }
  }
}

extension EditError {
  fileprivate init(linked id: Item.ID, by first: Item, of count: Int, _ state: StoreState) {
    let others = count > 1 ? " and \(count - 1) more have links" : " has a link"
    self.init(
      .linked, id, state.items[id]?.path, "`\(first.id)`\(others) to it, so it was not deleted.",
      advice: "Remove the links, or delete it with `.nullify` or `.cascade`.")
  }
}
