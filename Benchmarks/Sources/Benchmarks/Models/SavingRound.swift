import GRDB
import PlainStore

/// The times of one round: five changes of all models, each of them one save or one transaction.
struct SavingRound {
  var insert: Duration
  var update: Duration
  /// Saving values that are stored already, without what was read before.
  var saveUnchanged: Duration
  /// Reading all models, and saving each from the value that was read.
  var saveRead: Duration
  var delete: Duration

  /// Saves the models as files in a new folder.
  init(savingFilesIn folder: String, _ notes: [Note]) async throws {
    let store = try await ItemStore.open(folder)
    let ids = notes.map(\.id)
    let raised = notes.map(\.raised)
    let clock = ContinuousClock()
    insert = try await clock.measure { try await store.save(notes) }
    update = try await clock.measure { try await store.update(ids, as: Note.self) { $0.rating += 1 } }
    saveUnchanged = try await clock.measure { try await store.save(raised) }
    saveRead = try await clock.measure {
      var scope = store.makeEditScope()
      for note in try store.fetch(of: Note.self) { try scope.save(note, from: note) }
      try await store.save(scope)
    }
    guard try store.fetch(of: Note.self).reduce(0, { $0 + $1.rating }) == raised.reduce(0, { $0 + $1.rating })
    else { throw Failure("PlainStore has other models than it saved.") }
    delete = try await clock.measure { try await store.delete(ids) }
    guard try store.fetch(of: Note.self).isEmpty else { throw Failure("PlainStore kept a deleted model.") }
  }

  /// Saves the models as rows of a new database.
  init(savingRowsIn path: String, _ synchronous: Synchronous, _ notes: [Note]) async throws {
    let database = try DatabasePool(path: path)
    try await database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
      guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == synchronous.rawValue,
        try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      else { throw Failure("The database has other settings.") }
      try db.create(table: "note") { table in
        table.primaryKey("id", .text)
        for name in ["title", "author", "contents"] { table.column(name, .text).notNull() }
        table.column("rating", .integer).notNull()
        table.column("created", .datetime).notNull()
        table.column("tags", .jsonText).notNull()
        table.column("pinned", .boolean).notNull()
      }
    }
    let ids = notes.map(\.id)
    let raised = notes.map(\.raised)
    let clock = ContinuousClock()
    insert = try await clock.measure {
      try await database.write { db in for note in notes { try note.insert(db) } }
    }
    update = try await clock.measure {
      try await database.write { db in
        for var note in try Note.fetchAll(db, keys: ids) { try note.updateChanges(db) { $0.rating += 1 } }
      }
    }
    saveUnchanged = try await clock.measure {
      try await database.write { db in for note in raised { try note.save(db) } }
    }
    saveRead = try await clock.measure {
      try await database.write { db in
        for note in try Note.fetchAll(db) { try note.updateChanges(db, from: note) }
      }
    }
    guard
      try await database.read({ try Note.select(sum(Column("rating")), as: Int.self).fetchOne($0) })
        == raised.reduce(0, { $0 + $1.rating })
    else { throw Failure("GRDB has other models than it saved.") }
    delete = try await clock.measure { _ = try await database.write { try Note.deleteAll($0, keys: ids) } }
    guard try await database.read({ try Note.fetchCount($0) }) == 0 else {
      throw Failure("GRDB kept a deleted model.")
    }
    try database.close()
  }

  /// When SQLite flushes its log: at each commit, or only before a checkpoint.
  enum Synchronous: Int { case normal = 1, full = 2 }
}

extension Note {
  /// The model after `update`.
  fileprivate var raised: Note {
    var note = self
    note.rating += 1
    return note
  }
}
