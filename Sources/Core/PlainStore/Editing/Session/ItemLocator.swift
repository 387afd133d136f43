package import Files
import Folder
import Glibc
package import Query
import Values
import Watch

/// Finds the files of items without a running store.
struct ItemLocator {
  let rootPath: String
  let root: OpenFolder
  let settings: Settings
  let options: StoreOptions
  let rules: PathRules
  /// The files of each id, where ids are fields. Made at the first question, by reading all files.
  private var index: StoreContents?

  init(_ rootPath: String, _ root: OpenFolder, _ settings: Settings, _ options: StoreOptions) {
    (self.rootPath, self.root, self.settings, self.options) = (rootPath, root, settings, options)
    rules = PathRules(ignore: settings.ignore)
  }

  var idFields: [FieldPath] { options.idFields ?? settings.idFields }

  /// Returns the path of an item's file. Costs a few `stat`s where ids are paths; otherwise the
  /// first call reads every file.
  mutating func path(of id: Item.ID) throws(EditError) -> RelativePath {
    // No file can have an id such as `../x`, so no item has it.
    let hasPath = RelativePath(printed: id.description).map { $0 != .root } ?? false
    let found = idFields.isEmpty ? (hasPath ? try existingFiles(of: id) : []) : claimants(of: id)
    guard let path = found.first else {
      throw EditError(.notFound, id, nil, "There is no item with this id.")
    }
    if found.count > 1 {
      let names = found.map(\.description).joined(separator: ", ")
      throw EditError(
        .ambiguous, id, path,
        "Several files have the id \(id): \(names). Give all but one of them another name or id.")
    }
    return path
  }

  /// Returns the path of a new item's file.
  ///
  /// - Throws: if the item would not be shown there.
  func newPath(of id: Item.ID, as format: TextFormat, at wish: RelativePath?) throws(EditError)
    -> RelativePath
  {
    let path = if let wish { wish } else { try id.filePath("." + format.pathExtensions[0]) }
    if idFields.isEmpty, Item.ID(path: path) != id {
      throw EditError(
        .invalidID, id, path,
        "This file would be the item \(Item.ID(path: path)). The path must be the id with an extension.")
    }
    guard rules.format(of: path) == format, path.parent != nil else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its name begins with a dot, or the settings ignore it. Choose another name."
      )
    }
    guard rules.reaches(path) else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its folder is hidden, has the extension of an item, or is ignored by the settings. Choose another folder."
      )
    }
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
      throw EditError(
        .invalidID, id, nil, "A name in this path is longer than a file system allows (255 bytes).")
    }
    return path
  }

  /// Returns the existing files of an id, in the order of their bytes. For folders where ids are
  /// paths.
  func existingFiles(of id: Item.ID) throws(EditError) -> [RelativePath] {
    var found: [RelativePath] = []
    let name = try id.filePath().bytes
    for ending in ItemLocator.endings {
      let path = RelativePath(bytes: name + ending)
      guard rules.reaches(path) else { continue }
      do throws(Problem) {
        if try root.stamp(of: path) != nil { found.append(path) }
      } catch {
        throw EditError(id, error)
      }
    }
    return found.sorted()
  }

  private static let endings = TextFormat.allCases.flatMap(\.pathExtensions).map { Array(".\($0)".utf8) }

  /// Returns the files whose fields make this id. For folders where ids are fields.
  mutating func claimants(of id: Item.ID) -> [RelativePath] {
    if index == nil { refresh() }
    return index?.model.claimants(of: id) ?? []
  }

  /// Records what was saved, so that it is found under the id that it has now.
  ///
  /// - Parameter content: nil if the file was deleted.
  mutating func record(_ path: RelativePath, _ content: (stamp: FileStamp, fields: PackedValue)?) {
    guard index != nil else { return }
    _ = index?.apply([(path, content.map { .item($0.stamp, $0.fields) } ?? .missing)])
  }

  /// Reads what changed on disk since the last call, where ids are fields. The first call reads
  /// everything.
  mutating func refresh() {
    guard !idFields.isEmpty else { return }
    if var known = index {
      index = nil
      let plan = known.plan(DirtyPaths(subtrees: [.root]), root: rootPath)
      _ = known.apply(known.findings(of: plan, root: rootPath))
      index = known
    } else {
      var contents = StoreContents(settings: settings, options: options.reading)
      let filter = rules.watchFilter
      let record = try? contents.load(from: rootPath) { found throws(WatchError) in
        try DirectoryScan.scan(root: rootPath, named: rootPath, filter: filter, found: found)
      }
      guard record != nil else { return }
      index = contents
    }
  }

}

extension Item.ID {
  /// Returns the path of a file with this id.
  ///
  /// - Parameter ending: The extension with its dot, or nothing.
  func filePath(_ ending: String = "") throws(EditError) -> RelativePath {
    guard let path = RelativePath(printed: description), path != .root else {
      throw EditError(
        .invalidID, self, nil,
        "No file can have this name: an id is a path below the root, without `..`, empty parts or a leading slash."
      )
    }
    return RelativePath(bytes: path.bytes + Array(ending.utf8))
  }
}

/// Decides when a file that cannot be found counts as missing.
///
/// Some editors remove the old file before they create the new one, so a search is repeated for
/// longer than that takes. Time in which the program does not run is not counted: otherwise a
/// search on a busy machine could be over after two attempts that both fell between the two steps
/// of a save.
struct GapTimer {
  /// Longer than editors leave a file missing.
  static let gap = Duration.milliseconds(250)
  /// The longest sleep between two attempts. More time than this counts only if the program worked.
  static let maxSleep = Duration.milliseconds(20)

  /// A time, and how long the program has worked until then.
  struct Moment {
    let time: ContinuousClock.Instant
    /// The processor time that all threads of the program have used.
    let work: Duration

    static var now: Moment {
      var used = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
      return Moment(time: .now, work: .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec))
    }
  }

  private var rest: Duration
  private var last: Moment

  /// - Parameter gap: The time after which the file counts as missing. With zero, one attempt is enough.
  init(_ gap: Duration = GapTimer.gap, now: Moment = .now) {
    (rest, last) = (gap, now)
  }

  /// Records an attempt that did not find the file, and returns true if the file counts as missing.
  mutating func isOver(now: Moment = .now) -> Bool {
    rest -= min(now.time - last.time, now.work - last.work + GapTimer.maxSleep)
    last = now
    return rest <= .zero
  }
}

/// Finding the items that words of a command line name.
extension EditSession {
  /// Returns the items that words name: by an id, or by the path of an item's file, below the root
  /// or from the current folder.
  ///
  /// An id that exists always counts as one. A word that names no item is returned as the id that
  /// it spells.
  ///
  /// - Returns: The ids in the order of the words, or an error for a word that may name two items.
  package mutating func ids(named words: [String]) -> [Result<Item.ID, EditError>] {
    // A word that is given twice names the same item, even if the folder changes in between.
    var known: [ExactString: Result<Item.ID, EditError>] = [:]
    return words.map { word in
      let name = ExactString(word)
      if let result = known[name] { return result }
      let result = Result { () throws(EditError) in try existingID(named: word) ?? Item.ID(printed: word) }
      known[name] = result
      return result
    }
  }

  /// Returns the paths below a folder that a word may spell, if it has an item's extension. Neither
  /// the folder nor the files have to exist.
  package static func filePaths(named word: String, below root: String) -> [RelativePath] {
    isFileName(word) ? paths(named: word, below: RootPath(root).absolute) : []
  }

  /// Returns the paths of the items' files, in the order of the ids. A file may be broken.
  package mutating func paths(of ids: [Item.ID]) -> [Result<RelativePath, EditError>] {
    self.await(ids)
    return ids.map { id in Result { () throws(EditError) in try locate(id) } }
  }

  /// True if the id of an item is the path of its file; false if it comes from fields.
  package var idsArePaths: Bool { locator.idFields.isEmpty }

  private static func isFileName(_ word: String) -> Bool {
    let name = word.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? word
    return TextFormat(pathExtension: PseudoField.split(name[...]).ext) != nil
  }

  /// Returns the item on disk that a word names, as ``ids(named:)`` finds it; nil if it names none.
  ///
  /// A word that cannot be a path gives nil even if an item has this id.
  package mutating func existingID(named word: String) throws(EditError) -> Item.ID? {
    guard EditSession.isFileName(word) else { return nil }
    let id = Item.ID(printed: word)
    if locator.hasFile(of: id) { return id }
    var found: [RelativePath] = []
    for path in EditSession.paths(named: word, below: locator.rootPath)
    where locator.rules.reaches(path) && !found.contains(path) {
      if (try? locator.root.stamp(of: path)) != nil { found.append(path) }
    }
    guard let path = found.first else { return nil }
    if found.count > 1 {
      let names = found.map { "`\($0)`" }.joined(separator: " and ")
      throw EditError(.ambiguous, id, nil, "This may name the files \(names). Use the item's id.")
    }
    return try self.id(ofFileAt: path)
  }

  /// Returns the paths below the root that a word may spell: as it is printed, or byte for byte as
  /// a shell completes it; from the root or from the current folder.
  private static func paths(named word: String, below rootPath: String) -> [RelativePath] {
    // Without links and `..`, so that one file has one path however DIR and the word are written.
    let root = EditSession.components(EditSession.resolved(rootPath))
    let typed = EditSession.components(RootPath(word).absolute)
    let whole =
      EditSession.components(EditSession.resolved("/" + typed.dropLast().joined(separator: "/")))
      + typed.suffix(1)
    var texts = word.hasPrefix("/") ? [] : [EditSession.components(word).joined(separator: "/")]
    if whole.starts(with: root), whole.count > root.count {
      texts.append(whole.dropFirst(root.count).joined(separator: "/"))
    }
    return texts.flatMap { text in
      [RelativePath(printed: text), RelativePath(printed: RelativePath(bytes: text.utf8).description)]
        .compactMap { $0 }
    }
  }

  /// Returns the path without symbolic links and `..`, or the path itself if it does not exist.
  private static func resolved(_ path: String) -> String { RootPath(path).resolved ?? path }

  /// Splits `a/./b//c` into `a`, `b`, `c`. A `..` stays and so names nothing below the root.
  private static func components(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }

  /// Returns the id of a file; nil if ids are fields and the file does not have them.
  private func id(ofFileAt path: RelativePath) throws(EditError) -> Item.ID? {
    if locator.idFields.isEmpty { return Item.ID(path: path) }
    let name = Item.ID(path: path)
    guard let format = locator.rules.format(of: path), let content = try content(of: name, path, format),
      let fields = try? content.text.fields.get()
    else { return nil }
    return try? Item.ID(of: fields, at: path, by: locator.idFields)
  }
}

extension ItemLocator {
  fileprivate mutating func hasFile(of id: Item.ID) -> Bool {
    if idFields.isEmpty { return (try? existingFiles(of: id))?.isEmpty == false }
    return !claimants(of: id).isEmpty
  }
}
