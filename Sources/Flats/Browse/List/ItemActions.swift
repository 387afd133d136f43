public import TextEdits
public import Values

/// Performs actions on items. Each is conditional on the state of the items that was painted.
public protocol ItemActions: Sendable {
  /// Performs an action, and returns what became of it.
  func perform(_ action: ItemAction) async -> ActionOutcome
}

/// Turns the words of a form into edits of an item, as the words `field=value` of `set`.
///
/// - Parameters:
///   - words: The words.
///   - fields: The fields of the item before the edits.
/// - Throws: An error whose description says which word is wrong, and why.
public typealias FieldWordParser = @Sendable (_ words: [String], _ fields: Fields) throws -> [TextEdit]
