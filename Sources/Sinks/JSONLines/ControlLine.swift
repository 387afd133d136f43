import PlainStore
import PlainText

/// A line that requests a change of the view: a JSON object with parts of the view, under the keys
/// of the settings. Null restores the named view's value.
///
/// ```json
/// {"search":"re","sort":["-rating"],"limit":null}
/// ```
package struct ControlLine: Sendable, Equatable {
  /// The bytes of the line, or nil if it was too long to keep.
  package let bytes: [UInt8]?

  /// Wraps the bytes of a line, or nil for a line that was too long.
  package init(_ bytes: [UInt8]?) {
    self.bytes = bytes
  }

  /// Returns the view with the requested changes.
  ///
  /// - Parameter view: The view to change.
  /// - Throws: The error, at its column in the line.
  func change(of view: ViewDefinition) throws(TextError) -> ViewDefinition {
    guard let bytes else {
      throw TextError(line: 1, column: 1, message: "The control line is too long. The limit is \(LineBuffer.maxLength) bytes.")
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      throw TextError(
        line: 1, column: 1, message: "The control line is empty. Expected an object with parts of the view, such as {\"search\":\"…\"}.")
    }
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json).value else {
      throw TextError(line: 1, column: 1, message: "Expected an object with parts of the view, such as {\"search\":\"…\"}.")
    }
    do throws(SettingsError) {
      return try view.changed(by: written)
    } catch {
      throw ControlLine.located(error, in: bytes)
    }
  }

  private static func located(_ error: SettingsError, in bytes: [UInt8]) -> TextError {
    let text = error.keys.isEmpty ? nil : try? LocatedText(reading: bytes, as: .json)
    return TextError(line: 1, column: text?.place(of: FieldPath(keys: error.keys)).column ?? 1, message: error.description)
  }
}
