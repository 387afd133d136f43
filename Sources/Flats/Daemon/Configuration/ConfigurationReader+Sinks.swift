import Scripts
import StateStore
import Store

extension ConfigurationReader {
  private static let sinkKeys = ["name", "run", "file", "view"]
  private static let fileKeys = ["rotate", "keep"]
  private static let runKeys = ["directory"]
  private static let maxKeep = 1_000

  /// Reads the sinks of a folder (nil if its path has a mistake), and records their mistakes.
  mutating func sinks(_ written: Value, of folder: String?, at keys: [String]) -> [SinkConfiguration] {
    guard let elements = list(written, at: keys) else { return [] }
    var names: Set<String> = []
    var sinks: [SinkConfiguration] = []
    for (index, element) in elements.enumerated() {
      let keys = keys + ["\(index)"]
      guard let fields = map(element, at: keys) else { continue }
      let name = sinkName(fields, at: keys)
      if let name, !names.insert(name).inserted {
        report("There is another sink `\(name)` of this folder. Names must differ.", at: keys + ["name"])
      }
      if let sink = sink(fields, name, of: folder, at: keys) { sinks.append(sink) }
    }
    return sinks
  }

  private mutating func sinkName(_ fields: Fields, at keys: [String]) -> String? {
    guard let value = fields["name"] else {
      report("`name` is missing. The state of the sink is kept under it: `name: site`.", at: keys)
      return nil
    }
    guard let name = string(value, at: keys + ["name"]) else { return nil }
    if StateLocation.isName(name) { return name }
    report(
      "`\(name)` is not a name. A name has 1 to 64 letters, digits, `.`, `_` and `-`.", at: keys + ["name"])
    return nil
  }

  private mutating func sink(_ fields: Fields, _ name: String?, of folder: String?, at keys: [String])
    -> SinkConfiguration?
  {
    let commandKeys = ConfigurationReader.commandKeys + ConfigurationReader.runKeys
    let view = view(fields["view"], at: keys + ["view"])
    var kind: SinkConfiguration.Kind?
    var known = ConfigurationReader.sinkKeys
    switch (fields["run"], fields["file"]) {
    case (let run?, nil):
      known += commandKeys
      checkKeys(fields, known, others: ConfigurationReader.fileKeys, "a `file`", at: keys)
      kind = command(run, fields, in: folder, at: keys).map(SinkConfiguration.Kind.run)
    case (nil, let file?):
      known += ConfigurationReader.fileKeys
      checkKeys(fields, known, others: commandKeys, "a `run`", at: keys)
      kind = sinkFile(file, name ?? "", fields, at: keys).map(SinkConfiguration.Kind.file)
    case (nil, nil):
      checkKeys(fields, known + commandKeys + ConfigurationReader.fileKeys, others: [], "", at: keys)
      report("A sink needs `run`, a command as a list of words, or `file`, a path.", at: keys)
    case (_?, _?):
      checkKeys(fields, known + commandKeys + ConfigurationReader.fileKeys, others: [], "", at: keys)
      report("`run` and `file` cannot be combined. Write two sinks.", at: keys + ["file"], isKey: true)
    }
    guard let name, let kind, let view else { return nil }
    return SinkConfiguration(name: name, kind: kind, view: view)
  }

  private mutating func checkKeys(
    _ fields: Fields, _ known: [String], others: [String], _ owner: String, at keys: [String]
  ) {
    for (key, _) in fields where !known.contains(key) {
      // Such a key fails its sink, not the daemon.
      if fields["run"] != nil, CommandSettings.removed[key] != nil { continue }
      if others.contains(key) {
        report("`\(key)` belongs to \(owner) sink. Leave it out.", at: keys + [key], isKey: true)
      } else {
        reportUnknown(key, among: known, at: keys)
      }
    }
  }

  // MARK: Kinds

  private mutating func command(_ run: Value, _ fields: Fields, in folder: String?, at keys: [String])
    -> SinkCommand?
  {
    let directory = fields["directory"].map { path($0, at: keys + ["directory"]) } ?? folder
    let words = words(run, at: keys + ["run"])
    let settings = commandSettings(fields, at: keys)
    guard let directory, let words, let settings else { return nil }
    let removed = CommandSettings.removed.first { fields[$0.key] != nil }
    return SinkCommand(
      words: words, options: settings.options(runsOnce: false), label: settings.label(for: words),
      directory: directory, refusal: removed.map { "There is no key `\($0.key)`. \($0.value)" })
  }

  private mutating func words(_ written: Value, at keys: [String]) -> [String]? {
    if case .string(let text) = written {
      let example = text.split(separator: " ").map { "\($0)" }.joined(separator: ", ")
      report(
        "Expected a list of words, because no shell is involved: [\(example)], or [sh, -c, 'COMMAND'].",
        at: keys)
      return nil
    }
    guard let elements = list(written, at: keys) else { return nil }
    var words: [String] = []
    for (index, element) in elements.enumerated() {
      guard let word = string(element, at: keys + ["\(index)"]) else { return nil }
      if word.utf8.contains(0) { report("A word of a command cannot contain NUL.", at: keys + ["\(index)"]) }
      words.append(word)
    }
    if words.first?.isEmpty ?? true {
      report("The command is empty. Write a program and its arguments: [./build.sh, --fast].", at: keys)
      return nil
    }
    return words
  }

  private mutating func sinkFile(_ written: Value, _ name: String, _ fields: Fields, at keys: [String])
    -> SinkFile?
  {
    let path = path(written, at: keys + ["file"])
    var file = SinkFile(path: path ?? "")
    if let value = fields["rotate"] {
      file.rotate = ByteCount(argument: value.text)?.bytes
      if file.rotate ?? 0 < 1 {
        report(
          "Expected a size of at least 1 byte, such as 65536, 64K, 10M or 1G; found \(value.kindName) "
            + "`\(value.text)`.",
          at: keys + ["rotate"])
      }
    }
    if let value = fields["keep"] {
      if case .number(.integer(let count)) = value, (1...ConfigurationReader.maxKeep).contains(count) {
        file.keep = count
      } else {
        report(
          "Expected an integer from 1 to \(ConfigurationReader.maxKeep), found \(value.kindName) "
            + "`\(value.text)`.",
          at: keys + ["keep"])
      }
      if fields["rotate"] == nil {
        report(
          "`keep` needs `rotate`, the size at which a new file is started.", at: keys + ["keep"], isKey: true)
      }
    }
    if path == nil { return nil }
    sinkFiles.append((file.path, file.rotate == nil ? 0 : file.keep, name, keys + ["file"]))
    return file
  }

  // MARK: Views

  private mutating func view(_ written: Value?, at keys: [String]) -> SinkView? {
    guard let written else { return .all }
    guard case .map(let fields) = written else {
      if written.isScalar, written != .null { return .named(written.text) }
      report("Expected the name of a view or a map, found \(written.kindName).", at: keys)
      return nil
    }
    var isValid = true
    for (key, value) in fields {
      do throws(SettingsError) {
        _ = try ViewDefinition([key: value], at: keys)
      } catch {
        report(error.message, at: error.keys, isKey: !ViewDefinition.keys.contains(key))
        isValid = false
      }
    }
    return isValid ? (try? ViewDefinition(fields)).map(SinkView.defined) : nil
  }
}
