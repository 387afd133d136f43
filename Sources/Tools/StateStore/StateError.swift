/// The reason why the state of a consumer cannot be used.
package struct StateError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Code: Hashable, Sendable {
    /// The name of the state is not valid.
    case badName
    /// Neither `XDG_STATE_HOME` nor `HOME` names a folder for states.
    case noHome
    /// Another process has the state open; nil if the system does not know which one.
    case locked(process: Int32?)
  }

  /// The kind of error.
  package let code: Code
  /// One sentence: what is wrong, and what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StateError: CustomStringConvertible {
  /// The message.
  package var description: String { message }
}
