import Files
import TextEdits

/// The content of a file at one moment: its text, read once, and the stamp it had then.
struct FileContent: Sendable {
  let text: ItemText
  let stamp: FileStamp

  var bytes: [UInt8] { text.bytes }
}
