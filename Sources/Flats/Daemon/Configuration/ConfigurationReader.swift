import Files
import Glibc
import PlainStore
import Sinks
import Values

/// Reads a configuration file, and finds all of its mistakes.
package struct ConfigurationReader {
  private static let keys = ["folders", "browse", "listen"]
  private static let maxFolders = 1_000

  /// The absolute path of the file.
  let file: String
  /// The folders at which paths in the file begin.
  let paths: ConfigurationPaths
  /// The options of the command line.
  let options: any ConfigurationOptions
  /// The text with its places; nil if it has none, such as UTF-16.
  private var text: LocatedText?
  private var errors: [ConfigurationError] = []
  /// The paths of folders, with the indexes of their entries.
  var folderPaths: [(path: String, index: Int)] = []
  /// The files of sinks, with the numbers of their earlier files and their keys.
  var sinkFiles: [(path: String, keep: Int, sink: String, keys: [String])] = []

  /// Reads the configuration from its file.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - options: The options of the command line.
  /// - Throws: `ConfigurationFailure` with all mistakes.
  package static func read(_ file: String, options: any ConfigurationOptions) throws(ConfigurationFailure)
    -> DaemonConfiguration
  {
    let path = absolute(file)
    return try read(try ConfigurationFile.read(path), file: path, options: options)
  }

  /// Reads only the configuration of the full-screen list. The folders of the daemon are not
  /// checked.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - options: The options of the command line.
  /// - Throws: `ConfigurationFailure` with all mistakes.
  package static func readBrowse(_ file: String, options: any ConfigurationOptions)
    throws(ConfigurationFailure) -> BrowseConfiguration
  {
    let path = absolute(file)
    return try readBrowse(try ConfigurationFile.read(path), file: path, options: options)
  }

  private static func absolute(_ file: String) -> String {
    ConfigurationPaths.normalized(RootPath(file).absolute)
  }

  /// Reads the configuration from the bytes of its file.
  ///
  /// - Parameters:
  ///   - file: The absolute path of the file.
  ///   - home: The home folder.
  static func read(
    _ bytes: [UInt8], file: String, home: String? = ConfigurationPaths.home, options: any ConfigurationOptions
  ) throws(ConfigurationFailure) -> DaemonConfiguration {
    let part = try read(bytes, file: file, home: home, options: options) { reader, fields in
      _ = reader.browse(fields)
      let listen = reader.listen(fields)
      return DaemonConfiguration(file: file, folders: reader.folders(fields), listen: listen)
    }
    return part ?? DaemonConfiguration(file: file, folders: [])
  }

  /// Reads the configuration of the full-screen list from the bytes of the file.
  static func readBrowse(
    _ bytes: [UInt8], file: String, options: any ConfigurationOptions
  ) throws(ConfigurationFailure) -> BrowseConfiguration {
    try read(bytes, file: file, home: nil, options: options) { $0.browse($1) } ?? BrowseConfiguration()
  }

  /// Reads the top of the file, and a part of it by `body`.
  private static func read<Part>(
    _ bytes: [UInt8], file: String, home: String?, options: any ConfigurationOptions,
    body: (inout ConfigurationReader, Fields) -> Part
  ) throws(ConfigurationFailure) -> Part? {
    let paths = ConfigurationPaths(base: parentFolder(of: file), home: home)
    var reader = ConfigurationReader(file: file, paths: paths, options: options)
    var part: Part?
    do throws(TextError) {
      let written = try PackedValue(reading: bytes, as: .yaml, limits: limits).value
      reader.text = try? LocatedText(reading: bytes, as: .yaml)
      if let fields = reader.map(written == .null ? .map([:]) : written, at: []) {
        for (key, _) in fields where !keys.contains(key) { reader.reportUnknown(key, among: keys, at: []) }
        part = body(&reader, fields)
      }
    } catch {
      reader.errors = [
        ConfigurationError(file, TextPlace(line: error.line, column: error.column), error.message)
      ]
    }
    if !reader.errors.isEmpty { throw ConfigurationFailure(kind: .invalid, errors: reader.sortedErrors) }
    return part
  }

  private init(file: String, paths: ConfigurationPaths, options: any ConfigurationOptions) {
    self.file = file
    self.paths = paths
    self.options = options
  }

  private static var limits: ReadLimits {
    ReadLimits(depth: 100, expandedSize: ConfigurationFile.maxSize, maxSize: ConfigurationFile.maxSize)
  }

  // MARK: Errors

  private var sortedErrors: [ConfigurationError] {
    errors.enumerated().sorted { a, b in
      let (left, right) = (
        a.element.place ?? TextPlace(line: 0, column: 0), b.element.place ?? TextPlace(line: 0, column: 0)
      )
      return (left.line, left.column, a.offset) < (right.line, right.column, b.offset)
    }.map(\.element)
  }

  /// Records a mistake at a value, or at its key.
  mutating func report(_ message: String, at keys: [String], isKey: Bool = false) {
    var place = TextPlace(line: 1, column: 1)
    // A path has at least one key.
    if let text, !keys.isEmpty {
      let path = FieldPath(keys: keys)
      place = isKey ? text.placeOfKey(path) : text.place(of: path)
    }
    errors.append(ConfigurationError(file, place, message))
  }

  /// Records a key that does not exist.
  mutating func reportUnknown(_ key: String, among known: [String], at keys: [String]) {
    report(SettingReader.unknownKey(key, among: known), at: keys + [key], isKey: true)
  }

  /// Returns the fields of a map, or records a mistake.
  mutating func map(_ value: Value?, at keys: [String]) -> Fields? {
    if case .map(let fields)? = value { return fields }
    report("Expected a map, found \((value ?? .null).kindName).", at: keys)
    return nil
  }

  /// Returns the elements of a list, or records a mistake.
  mutating func list(_ value: Value, at keys: [String]) -> [Value]? {
    if case .list(let elements) = value { return elements }
    report("Expected a list, found \(value.kindName).", at: keys)
    return nil
  }

  /// Returns a scalar as a string, or records a mistake.
  mutating func string(_ value: Value, at keys: [String]) -> String? {
    if value.isScalar, value != .null { return value.text }
    report("Expected a string, found \(value.kindName).", at: keys)
    return nil
  }

  /// Returns the absolute path that a value names, or records a mistake.
  mutating func path(_ value: Value, at keys: [String]) -> String? {
    guard let text = string(value, at: keys) else { return nil }
    do throws(OptionError) {
      return try paths.absolute(text)
    } catch {
      report(error.message, at: keys)
      return nil
    }
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
    let known = ["path", "sinks"] + options.folderOptions.map(\.name)
    for (key, _) in fields where !known.contains(key) { reportUnknown(key, among: known, at: keys) }
    var path: String?
    if let value = fields["path"] {
      path = self.path(value, at: keys + ["path"])
      if let path { folderPaths.append((path, index)) }
    } else {
      report("`path` is missing. Write the folder: `path: ~/notes`.", at: keys)
    }
    let settings = folderSettings(path ?? "/", fields, at: keys)
    let sinks = fields["sinks"].map { self.sinks($0, of: path, at: keys + ["sinks"]) } ?? []
    guard let path, let settings else { return nil }
    return FolderConfiguration(path: path, settings: settings, sinks: sinks)
  }

  private mutating func folderSettings(_ path: String, _ fields: Fields, at keys: [String]) -> FolderSettings?
  {
    let reader = options
    return options(fields, of: reader.folderOptions, at: keys) { arguments throws(OptionError) in
      try reader.folderSettings(path, arguments)
    }
  }

  /// Reads the options in a map. Records a mistake at the option that it concerns.
  mutating func options<Settings>(
    _ fields: Fields, of known: [ConfigurationOption], at keys: [String],
    read: ([String]) throws(OptionError) -> Settings
  ) -> Settings? {
    var arguments: [(key: String, word: String)] = []
    let count = errors.count
    for option in known {
      guard let value = fields[option.name] else { continue }
      do throws(OptionError) {
        if let word = try option.argument(ConfigurationValue(value)) { arguments.append((option.name, word)) }
      } catch {
        report(error.message, at: keys + [option.name])
      }
    }
    if errors.count > count {
      // A combination cannot be judged without the other values.
      _ = reportValues(arguments, at: keys, isAlone: false, read: read)
      return nil
    }
    do throws(OptionError) {
      return try read(arguments.map(\.word))
    } catch {
      reportOptions(arguments, error, at: keys, read: read)
    }
    return nil
  }

  /// Records the mistakes of options that are not valid together: those of single values, or else
  /// the one of the combination.
  private mutating func reportOptions<Settings>(
    _ arguments: [(key: String, word: String)], _ error: OptionError, at keys: [String],
    read: ([String]) throws(OptionError) -> Settings
  ) {
    if reportValues(arguments, at: keys, isAlone: arguments.count == 1, read: read) { return }
    let culprit = arguments.first { error.message.contains("--\($0.key)") }
    report(error.text, at: culprit.map { keys + [$0.key] } ?? keys)
  }

  /// Records the mistakes of single values.
  ///
  /// - Parameter isAlone: True if no other option can be the reason of a mistake.
  /// - Returns: True if there is one.
  private mutating func reportValues<Settings>(
    _ arguments: [(key: String, word: String)], at keys: [String], isAlone: Bool,
    read: ([String]) throws(OptionError) -> Settings
  ) -> Bool {
    var hasWrongValue = false
    for (key, word) in arguments {
      do throws(OptionError) {
        _ = try read([word])
      } catch  where error.isAboutValue || isAlone {
        report(error.text, at: keys + [key])
        hasWrongValue = true
      } catch {}
    }
    return hasWrongValue
  }
}

extension ConfigurationValue {
  /// Reads a value of an option. The elements of a list are joined as on the command line.
  fileprivate init(_ value: Value) throws(OptionError) {
    switch value {
    case .bool(let flag): self = .flag(flag)
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      self = .text(elements.map(\.text).joined(separator: ","))
    case .null, .list, .map: throw OptionError("Expected a string or a number, found \(value.kindName).")
    case .number, .date, .string: self = .text(value.text)
    }
    if case .text(let text) = self, text.utf8.contains(0) { throw OptionError("A value cannot contain NUL.") }
  }
}

extension OptionError {
  /// True if the message is about the value of one option, and not about a combination.
  fileprivate var isAboutValue: Bool {
    message.hasPrefix("The value ") || message.contains(" must ") || message.contains("is empty")
  }

  /// The message with the names of options as keys.
  fileprivate var text: String {
    let text = message.replacing("-0 ", with: "null ").replacing(#/--([a-z])/#) { "\($0.1)" }
    // The command line shows the help of the option below such a message.
    let advice = [
      " <TIME>'": "Write a time such as 250ms, 2s or 10m.",
      " <SIZE>'": "Write a size such as 65536, 64K or 10M.",
      " <N>'": "Write a number.",
    ]
    for (ending, sentence) in advice where text.hasSuffix(ending) { return "\(text). \(sentence)" }
    return text
  }
}
