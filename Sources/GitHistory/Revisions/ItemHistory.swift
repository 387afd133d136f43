package import DirectoryWatch
import LinuxFiles
package import PlainStore
package import PlainText

/// What happened to one item, commit by commit, the newest first.
///
/// Where an item is known by its path, it is followed through renames as git finds them; where fields make the id, whichever file has it is the
/// item. A merge is shown only where it differs from all of its parents.
///
/// git is read as far as entries are asked for, and nothing is kept of those that were handed out but their commits' ids.
///
/// ```swift
/// var history = try await ItemHistory(of: id, in: "contacts")
/// while let entry = try history.next() { print(entry.commit.subject) }
/// ```
package struct ItemHistory {
  /// True if the clone lacks older commits, so that the item may be older than its last entry.
  package let isShallow: Bool
  private let fields: [FieldPath]
  /// The fields that are asked for and that no version read so far has, in their order.
  package private(set) var unseenFields: [FieldPath]
  /// The newest version that was read, for suggestions.
  private var newest: Item?
  /// True after a version of the item was found, even if no entry came of it.
  package private(set) var hasItem = false
  private var tracker: any ItemTracker
  private var versions: VersionReader

  package struct Entry: Sendable {
    package let commit: CommitLine
    /// Nil where it came with this commit, or could not be read before it.
    package let old: Item?
    /// Nil where it went with this commit, or could not be read from there on.
    package let new: Item?
    /// What is wrong with the file.
    package let problem: Problem?
    /// The fields that changed; none where it came or went.
    package let changes: FieldChanges?
    /// True if the clone lacks the commit's parents, so that nothing is known of the item before it.
    package fileprivate(set) var isOldestKnown = false
  }

  /// - Parameters:
  ///   - id: of an item that is there at `HEAD` or was once.
  ///   - fields: only commits that change, add or remove one of them give an entry; all commits do where it is empty.
  package init(of id: Item.ID, in folder: String, showing fields: [FieldPath] = [], options: StoreOptions = StoreOptions())
    async throws(GitError)
  {
    let repository = try await GitRepository(holding: folder)
    guard let head = try await repository.head() else { throw GitError(.noRepository, "The repository of \(folder) has no commits yet.") }
    // Each process counts when the first entry is all that is asked for.
    let entries = try await repository.entries([PathRules.settingsPath] + PathTracker.paths(of: id).sorted(), in: head)
    let settings = try RevisionReader(repository, limits: options.limits).settings(in: entries)
    let idFields = options.idFields ?? settings.idFields
    isShallow = repository.isShallow
    self.fields = fields
    unseenFields = fields
    versions = try VersionReader(repository, limits: options.limits, idFields: idFields)
    tracker =
      idFields.isEmpty
      ? try PathTracker(id, PathRules(ignore: settings.ignore), repository, head, present: entries.map(\.path))
      : try FieldTracker(id, repository, head.commit)
  }

  /// Returns the next older entry; nil after the last.
  package mutating func next() throws(GitError) -> Entry? {
    while let (commit, sides) = try tracker.next(&versions) {
      let ofItem = sides.flatMap { [$0?.new, $0?.old].compactMap { $0 } }
      let items = try versions.items(of: ofItem)
      record(ofItem.lazy.compactMap { items[$0] })
      guard var entry = Entry(commit, sides, items, fields) else { continue }
      entry.isOldestKnown = isShallow && commit.parents.isEmpty
      return entry
    }
    return nil
  }
}

extension ItemHistory {
  private mutating func record(_ versions: some Sequence<Result<Item, Problem>>) {
    for version in versions {
      hasItem = true
      guard let item = try? version.get() else { continue }
      newest = newest ?? item
      unseenFields.removeAll { item.hasField(at: $0) }
    }
  }

  /// The field that one which no version has was probably meant for.
  package func nearestField(to path: FieldPath) -> FieldPath? { newest.flatMap { CollectionOfOne($0).nearestField(to: path) } }
}

extension ItemHistory {
  /// The item of a file that exists no more, from the newest commit that touched it. Nil if no commit did.
  ///
  /// - Parameters:
  ///   - paths: the paths below the folder that the file may have.
  ///   - id: an id of the same spelling, which is returned if a commit touched that item later.
  package static func id(
    ofFile paths: [RelativePath], orOf id: Item.ID, in folder: String, options: StoreOptions = StoreOptions()
  ) async throws(GitError) -> Item.ID? {
    if paths.isEmpty { return nil }
    let repository = try await GitRepository(holding: folder)
    guard let head = try await repository.head() else { return nil }
    let entries = try await repository.entries([PathRules.settingsPath], in: head)
    let settings = try RevisionReader(repository, limits: options.limits).settings(in: entries)
    let rules = PathRules(ignore: settings.ignore)
    let files = paths.filter(rules.reaches)
    if files.isEmpty { return nil }
    let idFields = options.idFields ?? settings.idFields
    var versions = try VersionReader(repository, limits: options.limits, idFields: idFields)
    let own: Set<RelativePath> = idFields.isEmpty ? PathTracker.paths(of: id).filter(rules.reaches) : []
    let stream = try CommitStream(repository, from: [head.commit], paths: own.union(files).sorted())
    while let step = try stream.next() {
      let changes = step.changes.joined()
      if changes.contains(where: { $0.path.map(own.contains) == true }) { return id }
      // Where ids are fields, a version that can be read is needed.
      let found = try versions.items(of: changes.flatMap { [$0.old, $0.new].compactMap { $0 } })
      if let item = found.values.lazy.compactMap({ try? $0.get() }).min(by: { $0.path < $1.path }) { return item.id }
      if idFields.isEmpty, let path = changes.lazy.compactMap(\.path).first { return Item.ID(path: path) }
    }
    return nil
  }
}

/// Finds one item in what commits did, each before those that it comes from.
protocol ItemTracker {
  /// Returns the next commit that touched the item, and what it did to it, against each of its parents: nil where it did nothing.
  mutating func next(_ versions: inout VersionReader) throws(GitError) -> (commit: CommitLine, sides: [FileChange?])?
}

extension ItemHistory.Entry {
  /// Nil where nothing changed.
  fileprivate init?(_ commit: CommitLine, _ sides: [FileChange?], _ items: [FileVersion: Result<Item, Problem>], _ fields: [FieldPath]) {
    // A merge that took the item as it is on one side did nothing to it.
    guard let first = sides.first ?? nil, sides.allSatisfy({ $0 != nil }) else { return nil }
    func item(_ version: FileVersion?) -> Item? { version.flatMap { try? items[$0]?.get() } }
    self.commit = commit
    (old, new) = (item(first.old), item(first.new))
    var problem: Problem?
    if let version = first.new, case .failure(let found)? = items[version] { problem = found }
    self.problem = problem
    guard let old, let new else {
      changes = nil
      if old == nil && new == nil && problem == nil { return nil }
      let isShown = fields.isEmpty || sides.allSatisfy { Self.differ(item($0?.old), item($0?.new), in: fields) }
      if !isShown { return nil }
      return
    }
    // To a parent without the item, all of it is new.
    let all = sides.compactMap { side in item(side?.old).map { Set($0.changes(to: new, showing: fields).pointers) } }
    let common = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    let changes = old.changes(to: new, showing: fields).keeping(common)
    if !Self.isShown(changes, for: fields) { return nil }
    self.changes = changes
  }

  /// True if one of the fields is not the same in both. Of an item that came or went, any of them counts.
  private static func differ(_ old: Item?, _ new: Item?, in fields: [FieldPath]) -> Bool {
    guard let old, let new else { return fields.contains { (old ?? new)?.hasField(at: $0) == true } }
    return isShown(old.changes(to: new, showing: fields), for: fields)
  }

  /// Returns true if a shown field changed. A new path counts only if all fields or `@path` are shown.
  private static func isShown(_ changes: FieldChanges, for fields: [FieldPath]) -> Bool {
    if fields.isEmpty || fields.contains(where: { PseudoField($0) == .path }) { return !changes.isEmpty }
    return changes.pointers.contains { $0 != FieldPath.pointer(to: [PseudoField.path.rawValue]) }
  }
}

/// Reads single versions of files as items.
struct VersionReader {
  private let objects: ObjectReader
  private let idFields: [FieldPath]
  private var reader: TextReader
  /// Those that were asked for last: what a commit found is what the next one made.
  private var recent: [FileVersion: Result<Item, Problem>] = [:]

  init(_ repository: GitRepository, limits: ReadLimits, idFields: [FieldPath]) throws(GitError) {
    let budget = ContentBudget(limit: 4 << 30, advice: "-n N prints the newest N commits; --max-size skips larger files.")
    objects = try ObjectReader(repository, limit: limits.maximumSize, budget: budget)
    (self.idFields, reader) = (idFields, TextReader(limits: limits))
  }

  /// Returns what the versions hold, without those whose paths are not items'.
  mutating func items(of versions: [FileVersion]) throws(GitError) -> [FileVersion: Result<Item, Problem>] {
    var items: [FileVersion: Result<Item, Problem>] = [:]
    for version in versions {
      if let known = recent[version] {
        items[version] = known
      } else if items[version] == nil {
        items[version] = try read(version)
      }
    }
    recent = items
    return items
  }

  private mutating func read(_ version: FileVersion) throws(GitError) -> Result<Item, Problem>? {
    guard let format = TextFormat(pathExtension: version.path.description.fileExtension) else { return nil }
    var content = BlobContent.missing
    var reader = reader
    try objects.read([version.object]) { _, object throws(GitError) in content = BlobContent(object, as: format, &reader) }
    if case .missing = content {
      throw GitError(
        .damaged,
        "The repository lacks \(version.path) as a commit has it (object \(version.object.prefix(12))): it is a partial clone, or damaged. "
          + "`git fetch --refetch --no-filter` completes a partial clone; this program never uses the network.")
    }
    let finding = content.finding(at: version.path, FileTime(seconds: 0, nanoseconds: 0))
    let state = StoreState([(version.path, finding)], settings: Settings(), idFields: idFields)
    return state.items.first.map { .success($0.value) } ?? state.problems.first.map { .failure($0.value) }
  }
}
