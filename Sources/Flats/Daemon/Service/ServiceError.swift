/// The reason why the service cannot be installed or removed.
package struct ServiceError: Error, Hashable, CustomStringConvertible {
  /// The kind of reason, for the exit code.
  package let code: Code
  /// A sentence for people: what is wrong, where, what to do.
  package let description: String

  /// The kinds of reasons.
  package enum Code: Sendable, Hashable {
    /// A path cannot be written in a unit, or there is no folder for units.
    case badPath
    /// A unit file was edited by hand, or is not ours.
    case edited
    /// A file cannot be read, written or removed.
    case file
    /// The service manager refused a command.
    case manager
  }

  /// Makes an error.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
