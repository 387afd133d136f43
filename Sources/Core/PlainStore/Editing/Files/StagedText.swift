import Files

/// A new text of a file under a temporary name. If the program ends before the text is placed, the
/// next save in the folder deletes it.
struct StagedText {
  /// Its temporary name.
  let name: RelativePath
  let bytes: [UInt8]
  let stamp: FileStamp
  /// Sentences about attributes that could not be kept.
  let warnings: [String]
}
