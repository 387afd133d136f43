import Query
public import Store

extension ItemStore {
  /// Rewrites all files of a type that still have an older form (see ``PlainModel/changes``), as one update of
  /// the lists.
  ///
  /// ```swift
  /// let report = try await store.migrate(Contact.self, in: "people/")
  /// for failure in report.failures { print(failure) }  // people/eve.yaml:3:9: …
  /// try await store.save(report.inverse)  // undo
  /// ```
  ///
  /// Only the keys and values that `changes` names are rewritten. `validate` and the hooks of the type are not
  /// called: the objects stay the same. If another program changes a file at the same time, its newest version
  /// is rewritten. Costs O(n) and a save of each older file.
  ///
  /// - Parameter folder: The folder of the files, such as `"people/"`; nil for all. A file of another type
  ///   usually does not decode, and is left as it is.
  /// - Returns: The outcomes of the files that had an older form. Those that could not be rewritten, such as
  ///   files that do not decode, are its `failures`; its `inverse` undoes the others, byte for byte.
  /// - Throws: `StoreError` if the folder cannot be read or is malformed, or if `changes` names a field that
  ///   the type does not have. Then nothing was written.
  @discardableResult
  public nonisolated(nonsending) func migrate<Object: PlainModel>(
    _ type: Object.Type, in folder: String? = nil
  ) async throws -> SaveReport {
    let request = try FetchRequest(of: type, in: folder, where: nil)
    record(type, in: request.folder)
    let migration = ModelMigration(of: type)
    let found = fetch(request)
    let ids = found.list.itemIdentifiers.filter { id in
      found.item(id).map { migration.edits(of: $0).isNeeded } ?? false
    }
    var undecoded: [Item.ID: SaveOutcome] = [:]
    let report = try await changeNewest(ids, .error) { scope, id in
      undecoded[id] = nil
      guard let item = scope.base?.state.items[id] else { return }
      let edits = migration.edits(of: item)
      do throws(Problem) {
        if edits.isNeeded { _ = try decode(item, as: type) }
      } catch {
        let failure = EditError(
          .invalid, id, item.path, "The item cannot be read as `\(type)`: \(error.message)",
          line: error.line, column: error.column)
        undecoded[id] = SaveOutcome(failing: id, failure)
        return
      }
      if !edits.edits.isEmpty { scope.update(id, edits.edits, readAt: nil) { _ in } }
    }
    let made = Dictionary(report.outcomes.map { ($0.id, $0) }) { $1 }
    return SaveReport(outcomes: ids.compactMap { made[$0] ?? undecoded[$0] })
  }
}
