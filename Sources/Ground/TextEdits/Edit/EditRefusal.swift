/// A refusal by a part of the editor, before its line and column are known.
struct EditRefusal: Error {
  let reason: TextEditError.Reason
  let message: String
  /// The byte offset of the refusal; nil for the end of the path.
  var offset: Int?

  init(_ reason: TextEditError.Reason, _ message: String, at offset: Int? = nil) {
    self.reason = reason
    self.message = message
    self.offset = offset
  }
}
