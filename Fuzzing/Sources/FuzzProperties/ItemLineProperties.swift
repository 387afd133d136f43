@testable import PlainText

@testable import PlainStore

/// What holds of a line that names an item.
public enum ItemLineProperties {
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let text = Array(bytes)
    do throws(TextError) {
      let line = try ItemLine(text)
      var written: Fields = ["id": .string("\(line.id)")]
      written["path"] = line.path.map { .string("\($0)") }
      written["value"] = line.value.map(Value.map)
      let again = try? ItemLine(Array(JSONWriter.text(of: .map(written)).utf8))
      require(again?.id == line.id && again?.path == line.path, "A line that is printed again names the same item.")
    } catch {
      require(error.line >= 1 && error.column >= 1, "Lines and columns count from 1: \(error)")
      require(error.column <= text.count + 1, "The column is in the text: \(error)")
      require(!error.message.isEmpty, "There is a message.")
    }
  }
}
