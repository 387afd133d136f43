import Glibc
import Store

/// Reads a configuration file, and finds all of its mistakes.
package struct ConfigurationReader {
  private static let maxFolders = 1_000

  /// The absolute path of the file. Relative paths in it begin at its folder.
  let file: String
  /// The home folder, at which paths with `~/` begin; nil if it is not known.
  let home: String?
  let checks: ConfigurationChecks
  /// The text with its places; nil if it has none, such as UTF-16.
  private var text: LocatedText?
  private(set) var errors: [ConfigurationFailure.Mistake] = []
  var folderPaths: [(path: String, index: Int)] = []
  /// The files of sinks, with the numbers of their earlier files and their keys.
  var sinkFiles: [(path: String, keep: Int, sink: String, keys: [String])] = []

  private var fields: Fields = [:]

  /// Reads a file, and finds the mistakes at its top. Throws only if the file cannot be read.
  package init(_ file: String, checks: ConfigurationChecks) throws(ConfigurationFailure) {
    let path = ConfigurationReader.normalized(RootPath(file).absolute)
    try self.init(try ConfigurationReader.contents(of: path), file: path, checks: checks)
  }

  init(
    _ bytes: [UInt8], file: String, home: String? = ConfigurationReader.homeFolder,
    checks: ConfigurationChecks
  ) throws(ConfigurationFailure) {
    self.file = file
    self.home = home
    self.checks = checks
    let limits = ReadLimits(
      depth: 100, expandedSize: ConfigurationReader.maxSize, maxSize: ConfigurationReader.maxSize)
    let written: Value
    do throws(TextError) {
      written = try PackedValue(reading: bytes, as: .yaml, limits: limits).value
    } catch {
      let place = TextPlace(line: error.line, column: error.column)
      throw ConfigurationFailure(kind: .invalid, errors: [.init(file, place, error.message)])
    }
    text = try? LocatedText(reading: bytes, as: .yaml)
    fields = map(written == .null ? .map([:]) : written, at: []) ?? [:]
    checkKeys(fields, ["folders", "browse", "listen"], at: [])
  }

  package mutating func daemon() throws(ConfigurationFailure) -> DaemonConfiguration {
    _ = browse(fields)
    let listen = listen(fields)
    let configuration = DaemonConfiguration(file: file, folders: folders(fields), listen: listen)
    try checkErrors()
    return configuration
  }

  /// The folders of the daemon are not checked.
  package mutating func browseKeys() throws(ConfigurationFailure) -> [(action: String, keys: [String])] {
    let keys = browse(fields)
    try checkErrors()
    return keys
  }

  // MARK: Errors

  private func checkErrors() throws(ConfigurationFailure) {
    if errors.isEmpty { return }
    let sorted = errors.enumerated().sorted { a, b in
      let left = a.element.place
      let right = b.element.place
      return (left?.line ?? 0, left?.column ?? 0, a.offset) < (right?.line ?? 0, right?.column ?? 0, b.offset)
    }
    throw ConfigurationFailure(kind: .invalid, errors: sorted.map(\.element))
  }

  mutating func report(_ message: String, at keys: [String], isKey: Bool = false) {
    var place = TextPlace(line: 1, column: 1)
    // A path has at least one key.
    if let text, !keys.isEmpty {
      let path = FieldPath(keys: keys)
      place = isKey ? text.placeOfKey(path) : text.place(of: path)
    }
    errors.append(ConfigurationFailure.Mistake(file, place, message))
  }

  mutating func reportUnknown(_ key: String, among known: [String], at keys: [String]) {
    report(SettingReader.unknownKey(key, among: known), at: keys + [key], isKey: true)
  }

  mutating func checkKeys(_ fields: Fields, _ known: [String], at keys: [String]) {
    for (key, _) in fields where !known.contains(key) { reportUnknown(key, among: known, at: keys) }
  }

  /// Returns the fields of a map, or records a mistake.
  mutating func map(_ value: Value?, at keys: [String]) -> Fields? {
    if case .map(let fields)? = value { return fields }
    report("Expected a map, found \((value ?? .null).kindName).", at: keys)
    return nil
  }

  mutating func list(_ value: Value, at keys: [String]) -> [Value]? {
    if case .list(let elements) = value { return elements }
    report("Expected a list, found \(value.kindName).", at: keys)
    return nil
  }

  mutating func string(_ value: Value, at keys: [String]) -> String? {
    if value.isScalar, value != .null { return value.text }
    report("Expected a string, found \(value.kindName).", at: keys)
    return nil
  }

  /// Returns the absolute path that a value names, or records a mistake.
  mutating func path(_ value: Value, at keys: [String]) -> String? {
    guard let text = string(value, at: keys) else { return nil }
    guard let obstacle = obstacle(to: text) else { return absolute(text) }
    report(obstacle, at: keys)
    return nil
  }

  // MARK: Folders

  private mutating func folders(_ fields: Fields) -> [FolderConfiguration] {
    guard let list = fields["folders"] else {
      if errors.isEmpty {
        report("`folders` is missing. Write a list: `folders: [{path: ~/notes}]`.", at: [])
      }
      return []
    }
    guard let elements = self.list(list, at: ["folders"]) else { return [] }
    if elements.isEmpty {
      report("The list is empty. Name at least one folder: `- path: ~/notes`.", at: ["folders"])
    }
    if elements.count > ConfigurationReader.maxFolders {
      report(
        "There are \(elements.count) folders, but at most \(ConfigurationReader.maxFolders) are allowed.",
        at: ["folders"])
      return []
    }
    let folders = elements.enumerated().compactMap { folder($1, $0) }
    checkFolders()
    checkFiles()
    return folders
  }

  private mutating func folder(_ written: Value, _ index: Int) -> FolderConfiguration? {
    let keys = ["folders", "\(index)"]
    if written.isScalar, written != .null {
      report("Expected a map, found \(written.kindName). Write `path: \(written.text)`.", at: keys)
      return nil
    }
    guard let fields = map(written, at: keys) else { return nil }
    checkKeys(fields, ["path", "sinks"] + ConfigurationReader.folderKeys, at: keys)
    var path: String?
    if let value = fields["path"] {
      path = self.path(value, at: keys + ["path"])
      if let path { folderPaths.append((path, index)) }
    } else {
      report("`path` is missing. Write the folder: `path: ~/notes`.", at: keys)
    }
    let settings = folderSettings(fields, at: keys)
    let sinks = fields["sinks"].map { self.sinks($0, of: path, at: keys + ["sinks"]) } ?? []
    guard let path, let settings else { return nil }
    return FolderConfiguration(path: path, settings: settings, sinks: sinks)
  }
}

/// The checks of a configuration that need the full screen or the web server, which this target does
/// not know.
package struct ConfigurationChecks {
  /// Returns the mistakes in the keys of the full-screen list: the name of the action, the index of
  /// the key (nil if the mistake is the action itself), and what is wrong and what to write.
  let keys: @Sendable ([(action: String, keys: [String])]) -> [(action: String, key: Int?, message: String)]
  /// Returns the mistake in the address for browsers and what belongs to it, and its key, unless it
  /// concerns several; nil if there is none.
  let listen: @Sendable (ListenConfiguration) -> (key: String?, message: String)?

  package init(
    keys:
      @escaping @Sendable ([(action: String, keys: [String])]) -> [(
        action: String, key: Int?, message: String
      )],
    listen: @escaping @Sendable (ListenConfiguration) -> (key: String?, message: String)?
  ) {
    self.keys = keys
    self.listen = listen
  }
}
