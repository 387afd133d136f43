import DirectoryWatch
import PlainText

/// What aliases and merge keys may add to all files of a store. Each file has a limit of its own, but many small files could still fill the memory.
///
/// A file counts with the bytes by which its packed value exceeds what its text alone could take. In the order of paths, files are admitted while the sum is
/// within the limit; that one which exceeds it and all that come after it and count are refused. So the outcome depends on the files alone.
struct ExpansionBudget: Sendable {
  let limit: Int
  private var admitted: [RelativePath: Int] = [:]
  private(set) var refused: Set<RelativePath> = []
  private(set) var total = 0
  /// The first of the refused since the budget is in use.
  private var first: RelativePath?

  init(limit: Int) {
    self.limit = limit
  }

  /// Packing makes text at most five times longer, so without aliases no file exceeds this.
  private static let ordinaryFactor = 8

  /// The bytes that a file counts with; 0 for a file without large aliases.
  static func size(of fields: PackedValue, fileSize: UInt64) -> Int {
    max(0, fields.bytes.count - ordinaryFactor * Int(clamping: fileSize))
  }

  /// What aliases may add to a file that is refused if it counts at all.
  static func ordinarySize(fileSize: UInt64) -> Int { (64 << 10) + 2 * ordinaryFactor * Int(clamping: fileSize) }

  /// True for a path that is refused if it counts at all, as long as no path was forgotten.
  func refuses(_ path: RelativePath) -> Bool { first.map { path >= $0 } ?? false }

  /// True for a path that counts with less than before and was not refused since, so that there may be room for others.
  func isReleased(_ path: RelativePath, since old: ExpansionBudget) -> Bool {
    if refused.contains(path) { return false }
    return old.refused.contains(path) || (admitted[path] ?? 0) < (old.admitted[path] ?? 0)
  }

  /// True where much more is admitted than may stay.
  var isOverfull: Bool { total > limit + limit / 4 }

  mutating func admit(_ size: Int, at path: RelativePath) {
    forget(path)
    guard size > 0 else { return }
    admitted[path] = size
    total += size
  }

  mutating func refuse(_ path: RelativePath) {
    forget(path)
    refused.insert(path)
    first = first.map { min($0, path) } ?? path
  }

  mutating func forget(_ path: RelativePath) {
    if let size = admitted.removeValue(forKey: path) { total -= size }
    refused.remove(path)
  }

  /// Refuses what is beyond the limit, and returns it.
  mutating func evict() -> [RelativePath] {
    guard total > limit || !refused.isEmpty else { return [] }
    let lowest = refused.min()
    var sum = 0
    var evicted: [RelativePath] = []
    for (path, size) in admitted.sorted(by: { $0.key < $1.key }) {
      sum += size
      if sum > limit || lowest.map({ path > $0 }) == true { evicted.append(path) }
    }
    for path in evicted { refuse(path) }
    return evicted
  }

  func problem(at path: RelativePath) -> Problem {
    Problem(
      path: path,
      message:
        "Aliases and merge keys add more than \(limit) bytes to this folder's files, counted in the order of their paths up to this one. Write out fewer of them."
    )
  }
}
