import Browse
import Daemon
import Files
import Serve

extension BrowseConfiguration {
  /// The configuration file of this user, which the daemon and `browse` read; nil if no home folder is
  /// known.
  static var path: String? {
    let values = Environment.values(of: ["XDG_CONFIG_HOME", "HOME"])
    return UserFolder.configuration.path(values).map { "\($0)/notes-watch/config.yaml" }
  }

  /// Reads the configuration of the full-screen list. A file that does not exist is an empty one.
  static func read() throws(ConfigurationFailure) -> BrowseConfiguration {
    guard let path else { return BrowseConfiguration() }
    do throws(ConfigurationFailure) {
      return try ConfigurationReader.readBrowse(path, checks: .program)
    } catch {
      if error.kind == .missing { return BrowseConfiguration() }
      throw error
    }
  }

  /// The keys of the full screen, and the mistakes in the bindings.
  var keyMap: (map: KeyMap, mistakes: [KeyMistake]) {
    let (map, mistakes) = KeyMap.reading(bindings.map { ($0.action, $0.keys) })
    return (map, mistakes.map { KeyMistake($0.action, key: $0.key, $0.message) })
  }
}

extension ConfigurationChecks {
  static let program = ConfigurationChecks(keys: \.keyMap.mistakes, listen: mistake)

  /// Checks the address for browsers, and what belongs to it.
  @Sendable private static func mistake(in listen: ListenConfiguration) -> (key: String?, message: String)? {
    guard let address = ListenAddress(parsing: listen.address) else {
      return ("address", ListenAddress.refusal(of: listen.address))
    }
    if let origin = listen.origins.first(where: { WebOrigin(parsing: $0) == nil }) {
      return ("origin", ServeCommand.refusal(ofOrigin: origin))
    }
    let needs = [(listen.origins.isEmpty, "`origin`"), (listen.tokenFile == nil, "`token-file`")]
    return address.mistake(lacking: needs).map { (nil, $0) }
  }
}
