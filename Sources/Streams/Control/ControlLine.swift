import Store

/// A line that requests a change of the view: a JSON object with parts of the view, under the keys
/// of the settings. Null restores the named view's value.
///
/// ```json
/// {"search":"re","sort":["-rating"],"limit":null}
/// ```
///
/// Or an acknowledgement: `{"ack":"TOKEN"}`.
package struct ControlLine: Sendable, Equatable {
  /// The bytes of the line, or nil if it was too long to keep.
  package let bytes: [UInt8]?

  package init(_ bytes: [UInt8]?) {
    self.bytes = bytes
  }

  enum Request: Equatable {
    case view(ViewDefinition)
    /// To record that the reader has everything up to a token.
    case acknowledgement(token: String)
  }

  func request(changing view: ViewDefinition) throws(TextError) -> Request {
    guard let bytes else {
      throw error("The control line is too long. The limit is \(LineBuffer.maxLength) bytes.", at: [])
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      throw error(
        "The control line is empty. Expected an object with parts of the view, such as {\"search\":\"…\"}.",
        at: [])
    }
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json).value else {
      throw error("Expected an object with parts of the view, such as {\"search\":\"…\"}.", at: [])
    }
    if let token = written[ControlLine.acknowledgementKey] {
      guard case .string(let token) = token, written.count == 1 else {
        throw error(
          "Expected {\"ack\":\"…\"} with a token and no other key.", at: [ControlLine.acknowledgementKey])
      }
      return .acknowledgement(token: token)
    }
    do throws(SettingsError) {
      return .view(try view.changed(by: written))
    } catch {
      throw self.error(error.description, at: error.keys)
    }
  }

  /// The key of a line that acknowledges a token. No setting has this name.
  static let acknowledgementKey = "ack"

  func error(_ message: String, at keys: [String]) -> TextError {
    let text = keys.isEmpty ? nil : bytes.flatMap { try? LocatedText(reading: $0, as: .json) }
    return TextError(line: 1, column: text?.place(of: FieldPath(keys: keys)).column ?? 1, message: message)
  }
}
