package import Sinks

/// The options of the command line that a configuration may have as keys, under their long names.
///
/// The program implements it with its own options, so that checks and messages are the same
/// everywhere.
package protocol ConfigurationOptions: Sendable {
  /// The options of a folder.
  var folderOptions: [ConfigurationOption] { get }
  /// The options of a command.
  var commandOptions: [ConfigurationOption] { get }

  /// Reads the options of a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - arguments: The options as words of a command line.
  func folderSettings(_ path: String, _ arguments: [String]) throws(OptionError) -> FolderSettings

  /// Reads the options of a command.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - arguments: The options as words of a command line.
  /// - Returns: The options, and the label of its lines.
  func commandSettings(_ command: [String], _ arguments: [String]) throws(OptionError) -> (
    options: ScriptOptions, label: String?
  )

  /// Returns the mistake in the address for browsers and what belongs to it, and its key, unless it
  /// concerns several; nil if there is none.
  func mistake(in listen: ListenConfiguration) -> (key: String?, message: String)?

  /// Returns the mistakes in the keys of the full-screen list.
  func mistakes(in keys: BrowseConfiguration) -> [KeyMistake]
}

/// An option of the command line.
package struct ConfigurationOption: Sendable, Hashable {
  /// The name without dashes.
  package let name: String
  /// The form of the option.
  package let kind: Kind

  /// The form of an option.
  package enum Kind: Sendable, Hashable {
    /// True or false.
    case flag
    /// A value, which must be given.
    case value
    /// A value, or true for the default one.
    case optionalValue
  }

  /// Describes an option.
  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Returns the word of a command line for a value of the configuration; nil for none.
  ///
  /// - Throws: A sentence, if the value cannot be that of the option.
  func argument(_ value: ConfigurationValue) throws(OptionError) -> String? {
    switch (kind, value) {
    case (_, .flag(false)) where kind != .value: nil
    case (.flag, .flag), (.optionalValue, .flag): "--\(name)"
    case (.flag, .text(let text)): throw OptionError("Expected true or false, found `\(text)`.")
    case (_, .text(let text)): "--\(name)=\(text)"
    case (_, .flag): throw OptionError("Expected a value, found a boolean.")
    }
  }
}

/// A value of an option in the configuration.
enum ConfigurationValue {
  /// True or false.
  case flag(Bool)
  /// A value, as on the command line.
  case text(String)
}

/// The reason why options are not valid, in a sentence of the command line.
package struct OptionError: Error, Sendable, Hashable {
  /// The sentence.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
