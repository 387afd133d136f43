import Files
import Values

/// An error in the settings of a data set, or in one part of a view.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The keys that lead to the error; empty if it concerns the complete settings.
  public let keys: [String]
  /// A sentence that says what is wrong and what to do.
  public let message: String

  /// Creates an error, for a request that is made from settings that do not fit it.
  ///
  /// - Parameters:
  ///   - keys: The keys that lead to the error; empty for the complete settings.
  ///   - message: A sentence that says what is wrong and what to do.
  public init(_ keys: [String], _ message: String) {
    self.keys = keys
    self.message = message
  }

  /// The keys joined by dots, and the message.
  public var description: String { DisplayText.safe(keys.isEmpty ? message : "\(keys.joined(separator: ".")): \(message)") }
}
