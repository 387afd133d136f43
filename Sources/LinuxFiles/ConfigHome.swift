/// The folder in which programs of this user find their configurations.
package enum ConfigHome {
  /// Returns `XDG_CONFIG_HOME`, or `.config` in `HOME`; nil if neither is an absolute path.
  package static func path(_ environment: [String: String]) -> String? {
    if let home = environment["XDG_CONFIG_HOME"], home.utf8.first == UInt8(ascii: "/") { return home }
    if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") { return "\(home)/.config" }
    return nil
  }
}
