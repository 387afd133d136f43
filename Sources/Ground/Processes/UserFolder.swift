/// The folders for the files of this user's programs (XDG Base Directory Specification).
package enum UserFolder {
  case cache
  case configuration
  case state

  /// The value of `XDG_CACHE_HOME` and so on, or a folder in `HOME`; nil if neither is an absolute path.
  package func path(_ environment: [String: String]) -> String? {
    let (variable, name) =
      switch self {
      case .cache: ("XDG_CACHE_HOME", ".cache")
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      }
    if let folder = environment[variable], folder.utf8.first == UInt8(ascii: "/") { return folder }
    if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") { return "\(home)/\(name)" }
    return nil
  }
}
