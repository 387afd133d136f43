import ArgumentParser
import Browse
import Daemon
import PlainStore
import Serve
import Sinks

/// The options of the command line as keys of the daemon's configuration: they are parsed as if
/// they had been typed.
struct ConfigurationArguments: ConfigurationOptions {
  let folderOptions = ConfigurationArguments.options(of: FolderArguments.self)
  let commandOptions = ConfigurationArguments.options(of: CommandArguments.self)

  func folderSettings(_ path: String, _ arguments: [String]) throws(OptionError) -> FolderSettings {
    let parsed = try ConfigurationArguments.parse(FolderArguments.self, arguments + ["--", path])
    var settings = FolderSettings()
    settings.idField = parsed.folder.idField
    settings.maxSize = parsed.folder.maxSize?.bytes
    let watch = parsed.watching.options
    (settings.settle, settings.maxWait, settings.polls) = (watch.settle, watch.maxWait, parsed.watching.poll)
    settings.audit = parsed.watching.auditInterval
    settings.usesCache = !parsed.cache.isOff
    return settings
  }

  func commandSettings(_ command: [String], _ arguments: [String]) throws(OptionError) -> (
    options: ScriptOptions, label: String?
  ) {
    let words = arguments.map { BareOptions.completed(word: $0) }
    let script = try ConfigurationArguments.parse(CommandArguments.self, words).script
    do {
      try script.check(command)
    } catch {
      throw OptionError(ConfigurationArguments.message(CommandArguments.self, error))
    }
    return (script.options(runsOnce: false), script.label(for: command))
  }

  func mistake(in listen: ListenConfiguration) -> (key: String?, message: String)? {
    guard let address = ListenAddress(parsing: listen.address) else {
      return ("address", ListenAddress.refusal(of: listen.address))
    }
    if let origin = listen.origins.first(where: { WebOrigin(parsing: $0) == nil }) {
      return ("origin", ServeCommand.refusal(ofOrigin: origin))
    }
    if address.isLoopback { return nil }
    let missing = [(listen.origins.isEmpty, "`origin`"), (listen.tokenFile == nil, "`token-file`")]
      .filter(\.0).map(\.1)
    if missing.isEmpty { return nil }
    return (
      nil, "\(address) lets other machines connect. Give \(missing.joined(separator: " and ")), too."
    )
  }

  func mistakes(in keys: BrowseConfiguration) -> [KeyMistake] {
    KeyMap.reading(keys.bindings.map { ($0.action, $0.keys) }).mistakes.map {
      KeyMistake($0.action, key: $0.key, $0.message)
    }
  }

  /// Lists the options of a command by their long names.
  private static func options(of command: any ParsableCommand.Type) -> [ConfigurationOption] {
    // The first two are those of the parser itself.
    CommandOptions(of: command).all.dropFirst(2).compactMap { option in
      guard let name = option.names.first(where: { $0.hasPrefix("--") }), name != "--help" else { return nil }
      let kind: ConfigurationOption.Kind =
        BareOptions.name(in: name) != nil ? .optionalValue : option.hasValue ? .value : .flag
      return ConfigurationOption(String(name.dropFirst(2)), kind)
    }
  }

  private static func parse<Command: ParsableCommand>(_ command: Command.Type, _ words: [String])
    throws(OptionError) -> Command
  {
    do {
      return try command.parse(words)
    } catch {
      throw OptionError(message(command, error))
    }
  }

  /// Returns the sentence of an error of the parser.
  private static func message(_ command: any ParsableCommand.Type, _ error: any Error) -> String {
    command.message(for: error)
  }
}

/// The options of a folder.
private struct FolderArguments: ParsableCommand {
  @OptionGroup var folder: FolderOptions
  @OptionGroup var watching: WatchSettings
  @OptionGroup var cache: CacheOptions
}

/// The options of a command.
private struct CommandArguments: ParsableCommand {
  @OptionGroup var script: ScriptSettings
}
