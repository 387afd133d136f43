import Browse
import Daemon
import Files
import Serve
import Processes

/// The configuration file of this user, which the daemon and `browse` read.
enum UserConfiguration {
  static var path: String? {
    let values = Environment.values(of: ["XDG_CONFIG_HOME", "HOME"])
    return UserFolder.configuration.path(values).map { "\($0)/notes-watch/config.yaml" }
  }

  /// Reads the keys of the full-screen list. A file that does not exist is an empty one.
  static func keys() throws(ConfigurationFailure) -> KeyMap {
    guard let path else { return KeyMap.reading([]).map }
    do throws(ConfigurationFailure) {
      var reader = try ConfigurationReader(path, checks: .program)
      return KeyMap.reading(try reader.browseKeys()).map
    } catch {
      if error.kind == .missing { return KeyMap.reading([]).map }
      throw error
    }
  }
}

extension ConfigurationChecks {
  static let program = ConfigurationChecks(keys: { KeyMap.reading($0).mistakes }, listen: mistake)

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
