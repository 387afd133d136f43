import ArgumentParser
import Daemon
import Files

/// The configuration file of this user. The daemon and `browse` read it.
enum UserConfiguration {
  /// The default path of the file; nil if no home folder is known.
  static var path: String? {
    let values = Environment.values(of: "XDG_CONFIG_HOME", "HOME")
    return UserFolder.configuration.path(values).map { "\($0)/notes-watch/config.yaml" }
  }

  /// Reports all mistakes of the file, and returns the exit code.
  static func report(_ failure: ConfigurationFailure) -> ExitCode {
    for mistake in failure.errors { StandardError.reportLine("\(mistake)") }
    return switch failure.kind {
    case .missing: .noInput
    case .denied: .noPermission
    case .invalid: .badSettings
    }
  }

  /// Reads the keys of the full-screen list. A file that does not exist is an empty one.
  static func keys() throws -> [(action: String, keys: [String])] {
    guard let path else { return [] }
    do throws(ConfigurationFailure) {
      return try ConfigurationReader.readBrowse(path, checks: .program)
    } catch {
      if error.kind == .missing { return [] }
      throw report(error)
    }
  }
}
