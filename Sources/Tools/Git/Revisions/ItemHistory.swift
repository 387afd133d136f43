package import Store

/// The history of one item: the commits that changed it, newest first.
///
/// An item whose id is its path is followed through renames, as git finds them. An item whose id
/// comes from fields is found in whichever file has these fields. A merge is an entry only if the
/// item differs from all parents.
///
/// Reads from git only as much as the entries that were asked for need. Keeps one hash per commit
/// already returned, and nothing else of it.
///
/// ```swift
/// var history = try ItemHistory(of: id, in: "contacts")
/// while let entry = try history.next() { print(entry.commit.subject) }
/// ```
package struct ItemHistory {
  /// True if the clone is shallow, so that the item may be older than its last entry.
  package let isShallow: Bool
  private let fields: [FieldPath]
  /// The requested fields that no version read so far has, in the order of the request.
  package private(set) var unseenFields: [FieldPath]
  /// The newest version that was read, for suggestions of field names.
  private var newest: Item?
  /// True once a version of the item was found, even if it gave no entry.
  package private(set) var hasItem = false
  private var tracker: any ItemTracker
  private var versions: VersionReader

  package struct Entry {
    package let commit: CommitLine
    /// The item before the commit. Nil if the commit added it or the older version is broken.
    package let old: Item?
    /// The item after the commit. Nil if the commit removed it or the newer version is broken.
    package let new: Item?
    package let problem: Problem?
    /// The changed fields. Nil if the item was added or removed.
    package let changes: FieldChanges?
    /// True if the clone lacks the commit's parents, so that nothing is known of the item before it.
    package fileprivate(set) var isOldestKnown = false
  }

  /// Prepares the history of an item that exists at `HEAD` or existed before, in a folder that may no
  /// longer exist. Starts git, but reads no commits yet. If there are `fields`, only commits that
  /// change, add or remove one of them give an entry.
  package init(
    of id: Item.ID, in folder: String, showing fields: [FieldPath] = [],
    options: StoreOptions = StoreOptions()
  )
    throws(GitError)
  {
    let repository = try GitRepository(holding: folder)
    guard let head = try repository.head() else {
      throw GitError(.noRepository, "The repository of \(folder) has no commits.")
    }
    // One process for both: with `-n 1` the number of processes decides the run time.
    let entries = try repository.entries(
      [PathRules.settingsPath] + PathTracker.paths(of: id).sorted(), in: head)
    let settings = try RevisionReader(repository, limits: options.limits).settings(in: entries)
    let idFields = options.idFields ?? settings.idFields
    isShallow = repository.isShallow
    self.fields = fields
    unseenFields = fields
    versions = try VersionReader(repository, limits: options.limits, idFields: idFields)
    tracker =
      idFields.isEmpty
      ? try PathTracker(
        id, PathRules(ignore: settings.ignore), repository, head, present: entries.map(\.path))
      : try FieldTracker(id, repository, head.commit)
  }

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

  private mutating func record(_ versions: some Sequence<Result<Item, Problem>>) {
    for version in versions {
      hasItem = true
      guard let item = try? version.get() else { continue }
      newest = newest ?? item
      unseenFields.removeAll { item.hasField(at: $0) }
    }
  }

  package func nearestField(to path: FieldPath) -> FieldPath? {
    newest.flatMap { CollectionOfOne($0).nearestField(to: path) }
  }

  /// Returns the id of the item in a deleted file, from the newest commit that touched one of the paths
  /// that the file may have, or the item with the same spelling, `id`. Nil if no commit did. The folder
  /// may no longer exist.
  package static func id(
    ofFile paths: [RelativePath], orOf id: Item.ID, in folder: String, options: StoreOptions = StoreOptions()
  ) throws(GitError) -> Item.ID? {
    if paths.isEmpty { return nil }
    let repository = try GitRepository(holding: folder)
    guard let head = try repository.head() else { return nil }
    let entries = try repository.entries([PathRules.settingsPath], in: head)
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
      // If ids are made of fields, only a valid version gives the id.
      let found = try versions.items(of: changes.flatMap { [$0.old, $0.new].compactMap { $0 } })
      if let item = found.values.lazy.compactMap({ try? $0.get() }).min(by: { $0.path < $1.path }) {
        return item.id
      }
      if idFields.isEmpty, let path = changes.lazy.compactMap(\.path).first { return Item.ID(path: path) }
    }
    return nil
  }
}

/// Finds the commits that touched one item, each before its parents.
protocol ItemTracker {
  /// Returns the next commit that touched the item, and the change against each of its parents. The
  /// change is nil where the item is the same as in that parent.
  mutating func next(_ versions: inout VersionReader) throws(GitError) -> (
    commit: CommitLine, sides: [FileChange?]
  )?
}

extension ItemHistory.Entry {
  /// Fails if the commit did not change the item, or none of `fields`.
  fileprivate init?(
    _ commit: CommitLine, _ sides: [FileChange?], _ items: [TreeEntry: Result<Item, Problem>],
    _ fields: [FieldPath]
  ) {
    // A merge that has the item unchanged from one parent did not change it.
    guard let first = sides.first ?? nil, sides.allSatisfy({ $0 != nil }) else { return nil }
    func item(_ version: TreeEntry?) -> Item? { version.flatMap { try? items[$0]?.get() } }
    self.commit = commit
    old = item(first.old)
    new = item(first.new)
    var problem: Problem?
    if let version = first.new, case .failure(let found)? = items[version] { problem = found }
    self.problem = problem
    guard let old, let new else {
      changes = nil
      if old == nil && new == nil && problem == nil { return nil }
      let isShown =
        fields.isEmpty || sides.allSatisfy { Self.differ(item($0?.old), item($0?.new), in: fields) }
      if !isShown { return nil }
      return
    }
    // Compared with a parent without the item, all fields are new.
    let all = sides.compactMap { side in
      item(side?.old).map { Set($0.changes(to: new, showing: fields).pointers) }
    }
    let common = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    let changes = old.changes(to: new, showing: fields).keeping(common)
    if !Self.isShown(changes, for: fields) { return nil }
    self.changes = changes
  }

  /// Returns true if one of the fields differs. If the item was added or removed, each field that
  /// it has counts.
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

struct VersionReader {
  private let objects: ObjectReader
  private let idFields: [FieldPath]
  private var reader: TextReader
  /// The versions of the last call: the new side of one commit is the old side of a later one.
  private var recent: [TreeEntry: Result<Item, Problem>] = [:]

  init(_ repository: GitRepository, limits: ReadLimits, idFields: [FieldPath]) throws(GitError) {
    let budget = ContentBudget(
      limit: 4 << 30, advice: "Use -n N to read only the newest N commits, or --max-size to skip large files."
    )
    objects = try ObjectReader(repository, limit: limits.maxSize, budget: budget)
    self.idFields = idFields
    reader = TextReader(limits: limits)
  }

  /// Returns the item or the problem in each version, except for paths that cannot be items.
  mutating func items(of versions: [TreeEntry]) throws(GitError) -> [TreeEntry: Result<Item, Problem>] {
    var items: [TreeEntry: Result<Item, Problem>] = [:]
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

  private mutating func read(_ version: TreeEntry) throws(GitError) -> Result<Item, Problem>? {
    guard let format = TextFormat(pathExtension: version.path.description.fileExtension) else { return nil }
    var content = BlobContent.missing
    var reader = reader
    try objects.read([version.object]) { _, object throws(GitError) in
      content = BlobContent(object, as: format, &reader)
    }
    if case .missing = content {
      throw GitError(
        .damaged,
        "The repository lacks a version of \(version.path) (object \(version.object.prefix(12))): it is a partial clone or damaged, "
          + "and notes-watch never uses the network. Run `git fetch --refetch --no-filter` to complete a "
          + "partial clone."
      )
    }
    let finding = content.finding(at: version.path, FileTime(seconds: 0, nanoseconds: 0))
    let state = StoreState([(version.path, finding)], settings: Settings(), idFields: idFields)
    return state.items.first.map { .success($0.value) } ?? state.problems.first.map { .failure($0.value) }
  }
}
