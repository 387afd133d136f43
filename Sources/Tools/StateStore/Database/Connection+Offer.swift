import Store
import Streams

extension Connection {
  /// Reads and verifies the rows and their digest; nil if the database has none: it was migrated.
  func readOffer() throws -> (offer: Offer, digest: RecordDigest)? {
    var offer = Offer()
    var digest = RecordDigest()
    var written: RecordDigest?
    try forEach("SELECT key, path FROM offered") { row in
      guard let key = row.bytes(0), let path = row.bytes(1) else { throw StateError.damaged }
      if key.isEmpty {
        written = RecordDigest(path)
      } else if let id = key.withUnsafeBytes({ Record.row(ofKey: $0) }) {
        digest.add(Record(offered: key, path))
        offer.insert(id, at: RelativePath(bytes: path))
      } else {
        throw StateError.damaged
      }
    }
    if offer.isEmpty, written == nil { return nil }
    if digest != written { throw StateError.damaged }
    return (offer, digest)
  }

  /// Replaces the rows in which two offers may differ, and makes the digest that of the new one.
  func write(_ new: Offer, replacing old: Offer, _ rows: some Sequence<Item.ID>, _ digest: inout RecordDigest)
    throws
  {
    let delete = try query("DELETE FROM offered WHERE key = ? AND path = ?")
    let insert = try query("INSERT INTO offered VALUES (?, ?)")
    for row in rows {
      let before = old.paths(of: row)
      let after = new.paths(of: row)
      for path in before.subtracting(after) {
        let record = Record(offered: Record.key(of: row), path.bytes)
        try delete.run([.bytes(record.key), record.path.map(Parameter.bytes)])
        digest.remove(record)
      }
      for path in after.subtracting(before) {
        let record = Record(offered: Record.key(of: row), path.bytes)
        try insert.run([.bytes(record.key), record.path.map(Parameter.bytes)])
        digest.add(record)
      }
    }
    try run("DELETE FROM offered WHERE key = x''")
    try insert.run([.bytes([]), .bytes(digest.bytes)])
  }

  /// Returns the rows that changed after a step, with all their paths.
  func offer(since step: History.Step) throws -> Offer {
    var offer = Offer()
    try forEach(
      """
      SELECT key, path FROM undo WHERE base >= ?1 AND path IS NOT NULL
      UNION SELECT key, path FROM records WHERE path IS NOT NULL AND key IN (SELECT key FROM undo WHERE base >= ?1)
      """, .number(step.number)
    ) { row in
      guard let id = row.borrowedBytes(0).flatMap(Record.row), let path = row.bytes(1) else { return }
      offer.insert(id, at: RelativePath(bytes: path))
    }
    return offer
  }
}

extension Record {
  /// Creates the record of an offered row, for digests.
  fileprivate init(offered key: [UInt8], _ path: [UInt8]) {
    self.init(key: key, section: [], rank: 0, path: path, value: nil)
  }
}
