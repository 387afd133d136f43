import PlainText

/// What is wrong with a data set's settings, or with one part of a view.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The keys that lead to the place; empty where it is the whole.
  public let keys: [String]
  /// A sentence.
  public let message: String

  /// For a request of one's own that settings do not fit.
  public init(_ keys: [String], _ message: String) {
    self.keys = keys
    self.message = message
  }

  public var description: String { keys.isEmpty ? message : "\(keys.joined(separator: ".")): \(message)" }
}
