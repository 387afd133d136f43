import Files

/// An error in the settings of a data set, or in one part of a view.
public struct SettingsError: Error, Hashable, CustomStringConvertible {
  /// The keys that lead to the error; empty if it concerns the complete settings.
  public let keys: [String]
  /// A sentence that says what is wrong and what to do.
  public let message: String
  /// True if parts of a view that were chosen together don't fit each other. It isn't a mistake of the settings.
  package let isMismatch: Bool

  /// Creates an error, for a request that is made from settings that do not fit it.
  public init(_ keys: [String], _ message: String) {
    self.init(keys, message, isMismatch: false)
  }

  package init(_ keys: [String], _ message: String, isMismatch: Bool) {
    self.keys = keys
    self.message = message
    self.isMismatch = isMismatch
  }

  /// The keys joined by dots, and the message.
  public var description: String {
    DisplayText.safe(keys.isEmpty ? message : "\(keys.joined(separator: ".")): \(message)")
  }

  /// The message for someone who chose a view. A mistake in the settings file has its keys, because
  /// the command line does not show them.
  package var advice: String { isInView ? description : message }

  /// True if a view of the settings cannot be read. All other settings are in use then.
  package var isInView: Bool { keys.count > 1 && keys[0] == "views" }
}
