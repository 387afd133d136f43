import Values

extension LocatedText {
  /// Finds the places in a text that was read before, so that nothing has to be checked again.
  /// Linear.
  ///
  /// - Throws: if the text is UTF-16.
  init(locating text: ItemText) throws(TextError) { try self.init(readable: text.bytes, as: text.format) }
}
