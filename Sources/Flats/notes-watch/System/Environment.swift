import Glibc

/// The environment of this program.
enum Environment {
  /// Returns the values of the variables that are set and not empty.
  static func values(of names: String...) -> [String: String] { values(of: names) }

  /// Returns the values of the variables that are set and not empty.
  static func values(of names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      guard let text = getenv(name), text.pointee != 0 else { continue }
      values[name] = String(cString: text)
    }
    return values
  }
}
