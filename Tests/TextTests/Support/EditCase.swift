import Testing
import TextEdits
import Values

/// A text, its edits, and the expected bytes or the expected refusal.
struct EditCase: Sendable, CustomTestStringConvertible {
  let format: TextFormat
  let before: String
  let edits: [TextEdit]
  let after: String?
  let refusal: TextEditError.Reason?
  /// The expected place of the refusal, as `line:column`.
  let place: String?

  static func yaml(_ before: String, _ edits: TextEdit..., gives after: String) -> EditCase {
    EditCase(.yaml, before, edits, after)
  }
  static func json(_ before: String, _ edits: TextEdit..., gives after: String) -> EditCase {
    EditCase(.json, before, edits, after)
  }
  static func markdown(_ before: String, _ edits: TextEdit..., gives after: String) -> EditCase {
    EditCase(.markdown, before, edits, after)
  }

  static func yaml(
    _ before: String, _ edits: TextEdit..., refused reason: TextEditError.Reason, at place: String? = nil
  ) -> EditCase {
    EditCase(.yaml, before, edits, nil, reason, place)
  }
  static func json(
    _ before: String, _ edits: TextEdit..., refused reason: TextEditError.Reason, at place: String? = nil
  ) -> EditCase {
    EditCase(.json, before, edits, nil, reason, place)
  }
  static func markdown(
    _ before: String, _ edits: TextEdit..., refused reason: TextEditError.Reason, at place: String? = nil
  ) -> EditCase {
    EditCase(.markdown, before, edits, nil, reason, place)
  }

  private init(
    _ format: TextFormat, _ before: String, _ edits: [TextEdit], _ after: String?,
    _ refusal: TextEditError.Reason? = nil,
    _ place: String? = nil
  ) {
    self.format = format
    self.before = before
    self.edits = edits
    self.after = after
    self.refusal = refusal
    self.place = place
  }

  var testDescription: String { "\(format) \(before.debugDescription) \(edits.map(\.path))" }

  func check() {
    do {
      let result = try ItemText(Array(before.utf8), as: format).applying(edits)
      let text = String(decoding: result, as: UTF8.self)
      if let after {
        #expect(
          Array(after.utf8) == result,
          "\(testDescription)\n\(text.debugDescription) instead of\n\(after.debugDescription)")
      } else {
        Issue.record("\(testDescription) gives \(text.debugDescription) instead of being refused")
      }
    } catch {
      #expect(error.reason == refusal, "\(testDescription): \(error)")
      if let place { #expect("\(error.line):\(error.column)" == place, "\(error)") }
    }
  }
}
