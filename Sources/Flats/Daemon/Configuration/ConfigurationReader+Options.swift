import Scripts
import Store

/// The options of folders and commands, as keys of a map. They have the names and values of the command line.
extension ConfigurationReader {
  static let folderKeys = [
    "id-field", "max-size", "settle", "max-wait", "poll", "audit", "no-audit", "no-cache",
  ]
  static let commandKeys = CommandSettings.Key.allCases.map(\.rawValue)

  mutating func folderSettings(_ fields: Fields, at keys: [String]) -> FolderSettings? {
    let count = errors.count
    var settings = FolderSettings()
    settings.idField = idField(fields, at: keys)
    settings.maxSize = size(fields, "max-size", at: keys)?.bytes
    if let settle = time(fields, "settle", at: keys) { settings.settle = settle.duration }
    if let maxWait = time(fields, "max-wait", at: keys) { settings.maxWait = maxWait.duration }
    settings.polls = flag(fields, "poll", at: keys)
    let audit = time(fields, "audit", at: keys)
    if let audit { settings.audit = audit.duration }
    let hasNoAudit = flag(fields, "no-audit", at: keys)
    if hasNoAudit { settings.audit = nil }
    settings.usesCache = !flag(fields, "no-cache", at: keys)
    if errors.count == count, hasNoAudit, audit != nil {
      report("audit and no-audit cannot be combined. Leave one of them out.", at: keys + ["audit"])
    }
    return errors.count == count ? settings : nil
  }

  private mutating func idField(_ fields: Fields, at keys: [String]) -> String? {
    guard let text = text(fields, "id-field", at: keys) else { return nil }
    if ViewDefinition.splitPaths(text).isEmpty {
      report(
        "id-field: The value is empty. Name at least one field, or leave the option out.",
        at: keys + ["id-field"])
      return nil
    }
    do throws(SettingsError) {
      _ = try ViewDefinition.idFields(text)
    } catch {
      report("\(error)", at: keys + ["id-field"])
    }
    return text
  }

  mutating func commandSettings(_ fields: Fields, at keys: [String]) -> CommandSettings? {
    let count = errors.count
    var settings = CommandSettings()
    settings.input = choice(fields, "stdin", at: keys)
    settings.isNullTerminated = flag(fields, "null", at: keys)
    settings.isEach = flag(fields, "each", at: keys)
    settings.runsInitially = flag(fields, "initial", at: keys)
    settings.onError = choice(fields, "on-error", at: keys)
    settings.maxFailures = option(fields, "max-failures", as: "an integer", at: keys) { Int($0) }
    settings.splitsOnError = flag(fields, "split-on-error", at: keys)
    settings.timeout = time(fields, "timeout", at: keys)?.duration
    settings.onBusy = choice(fields, "on-busy", at: keys)
    settings.label = option(
      fields, "prefix", default: CommandSettings.commandName, as: "a label or true", at: keys
    ) { $0.isEmpty ? nil : $0 }
    settings.defersGit =
      time(fields, "defer-git", default: CommandSettings.defaultDeferGit, at: keys)?.duration
    settings.isPersistent = flag(fields, "persistent", at: keys)
    let mistakes = settings.mistakes(name: \.rawValue)
    for mistake in mistakes where mistake.isAboutValue {
      report(mistake.message, at: keys + [mistake.key.rawValue])
    }
    // A combination cannot be judged if one of its values is wrong.
    if errors.count > count { return nil }
    guard let mistake = mistakes.first ?? settings.uselessLimit(name: \.rawValue) else { return settings }
    report(mistake.message, at: keys + [mistake.key.rawValue])
    return nil
  }

  // MARK: Values

  private mutating func flag(_ fields: Fields, _ key: String, at keys: [String]) -> Bool {
    if case .bool(let flag)? = fields[key] { return flag }
    if let text = text(fields, key, at: keys) {
      report("Expected true or false, found `\(text)`.", at: keys + [key])
    }
    return false
  }

  private mutating func time(_ fields: Fields, _ key: String, default: String? = nil, at keys: [String])
    -> TimeSpan?
  {
    option(fields, key, default: `default`, as: "a time such as 250ms, 2s or 10m", at: keys) {
      TimeSpan(argument: $0)
    }
  }

  private mutating func size(_ fields: Fields, _ key: String, at keys: [String]) -> ByteCount? {
    option(fields, key, as: "a size such as 65536, 64K or 10M", at: keys) { ByteCount(argument: $0) }
  }

  private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ fields: Fields, _ key: String, at keys: [String]
  ) -> Choice? {
    let names = Choice.allCases.map(\.rawValue)
    let list = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    return option(fields, key, as: list, at: keys) { Choice(rawValue: $0) }
  }

  private mutating func option<Option>(
    _ fields: Fields, _ key: String, default: String? = nil, as kind: String, at keys: [String],
    read: (String) -> Option?
  ) -> Option? {
    guard let text = text(fields, key, default: `default`, at: keys) else { return nil }
    if let option = read(text) { return option }
    report("Expected \(kind), found `\(text)`.", at: keys + [key])
    return nil
  }

  /// The text of an option; nil if it is not given. A list is joined as on the command line. True stands for
  /// `default`, which is nil if the option needs a value; false leaves such an option out.
  private mutating func text(_ fields: Fields, _ key: String, default: String? = nil, at keys: [String])
    -> String?
  {
    guard let value = fields[key] else { return nil }
    let text: String
    switch value {
    case .bool(let isOn):
      if `default` == nil { report("Expected a value, found a boolean.", at: keys + [key]) }
      return isOn ? `default` : nil
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      text = elements.map(\.text).joined(separator: ",")
    case .null, .list, .map:
      report("Expected a string or a number, found \(value.kindName).", at: keys + [key])
      return nil
    case .number, .date, .string: text = value.text
    }
    if !text.utf8.contains(0) { return text }
    report("A value cannot contain NUL.", at: keys + [key])
    return nil
  }
}
