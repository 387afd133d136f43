import PlainStore
import PlainText

/// A line that asks for a change of the view: a JSON object with parts of it under the keys of the settings. Null takes a part back to the named view's.
///
/// ```json
/// {"search":"re","sort":["-rating"],"limit":null}
/// ```
package struct ControlLine: Sendable, Equatable {
  /// Nil where there was too much of it to keep.
  package let bytes: [UInt8]?

  package init(_ bytes: [UInt8]?) {
    self.bytes = bytes
  }

  /// The view with what the line asks for.
  ///
  /// - Throws: what is wrong, at its column in the line.
  func change(of view: ViewDefinition) throws(TextError) -> ViewDefinition {
    guard let bytes else { throw TextError(line: 1, column: 1, message: "The line is too long; it may have \(LineBuffer.maximum) bytes.") }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      throw TextError(
        line: 1, column: 1, message: "The control line is empty. Write an object with parts of the view: {\"search\":\"…\"}.")
    }
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json).value else {
      throw TextError(line: 1, column: 1, message: "An object with parts of the view is expected here: {\"search\":\"…\"}.")
    }
    do throws(SettingsError) {
      return try view.changed(by: written)
    } catch {
      throw ControlLine.place(error, in: bytes)
    }
  }

  private static func place(_ error: SettingsError, in bytes: [UInt8]) -> TextError {
    let text = error.keys.isEmpty ? nil : try? LocatedText(reading: bytes, as: .json)
    return TextError(line: 1, column: text?.place(of: FieldPath(keys: error.keys)).column ?? 1, message: error.description)
  }
}
