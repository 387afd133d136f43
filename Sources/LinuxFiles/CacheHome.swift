/// The folder in which programs of this user keep what they can make again.
package enum CacheHome {
  /// Returns `XDG_CACHE_HOME`, or `.cache` in `HOME`; nil if neither is an absolute path.
  package static func path(_ environment: [String: String]) -> String? {
    if let home = environment["XDG_CACHE_HOME"], home.utf8.first == UInt8(ascii: "/") { return home }
    if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") { return "\(home)/.cache" }
    return nil
  }
}
