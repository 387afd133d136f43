extension EditSession {
  /// Returns the items that words name, in their order: by an id, or by the path of an item's file, below
  /// the root or from the current folder.
  ///
  /// An id that exists always counts as one. A word that names no item is returned as the id that
  /// it spells. One that may name two items is an error.
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

  /// Returns the paths below a folder that a word with an item's extension may spell. None has to exist.
  package static func filePaths(named word: String, below root: String) -> [RelativePath] {
    isFileName(word) ? paths(named: word, below: RootPath(root).absolute) : []
  }

  package mutating func paths(of ids: [Item.ID]) -> [Result<RelativePath, EditError>] {
    self.await(ids)
    return ids.map { id in Result { () throws(EditError) in try locate(id) } }
  }

  package var idsArePaths: Bool { locator.idFields.isEmpty }

  private static func isFileName(_ word: String) -> Bool {
    let name = word.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? word
    return TextFormat(pathExtension: PseudoField.split(name[...]).ext) != nil
  }

  /// Returns the item on disk that a word names; nil if it names none, or cannot be a path.
  package mutating func existingID(named word: String) throws(EditError) -> Item.ID? {
    guard EditSession.isFileName(word) else { return nil }
    let id = Item.ID(printed: word)
    let files = locator.idFields.isEmpty ? try? locator.existingFiles(of: id) : locator.claimants(of: id)
    if files?.isEmpty == false { return id }
    var found: [RelativePath] = []
    for path in EditSession.paths(named: word, below: locator.path.absolute)
    where locator.rules.reaches(path) && !found.contains(path) {
      if (try? locator.root.stamp(of: path)) != nil { found.append(path) }
    }
    guard let path = found.first else { return nil }
    if found.count > 1 {
      let names = found.map { "`\($0)`" }.joined(separator: " and ")
      throw EditError(
        .ambiguous, id, nil, "This may name the files \(names).", advice: "Use the item's id.")
    }
    return try self.id(ofFileAt: path)
  }

  /// Returns the paths below the root that a word may spell: as it is printed, or byte for byte as
  /// a shell completes it; from the root or from the current folder.
  private static func paths(named word: String, below rootPath: String) -> [RelativePath] {
    // Without links and `..`, so that one file has one path however DIR and the word are written.
    let root = EditSession.components(RootPath(rootPath).resolvedOrAbsolute)
    let typed = EditSession.components(RootPath(word).absolute)
    let whole =
      EditSession.components(RootPath("/" + typed.dropLast().joined(separator: "/")).resolvedOrAbsolute)
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

  /// Splits `a/./b//c` into `a`, `b`, `c`. A `..` stays and so names nothing below the root.
  private static func components(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }

  private func id(ofFileAt path: RelativePath) throws(EditError) -> Item.ID? {
    if locator.idFields.isEmpty { return Item.ID(path: path) }
    let name = Item.ID(path: path)
    guard let format = locator.rules.format(of: path), let content = try content(of: name, path, format),
      let fields = try? content.text.fields.get()
    else { return nil }
    return try? Item.ID(of: fields, at: path, by: locator.idFields)
  }
}
