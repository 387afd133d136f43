/// The folder in which programs of this user keep their states.
package enum StateHome {
  /// Returns `XDG_STATE_HOME`, or `.local/state` in `HOME`; nil if neither is an absolute path.
  package static func path(_ environment: [String: String]) -> String? {
    if let home = environment["XDG_STATE_HOME"], home.utf8.first == UInt8(ascii: "/") { return home }
    if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") { return "\(home)/.local/state" }
    return nil
  }
}
