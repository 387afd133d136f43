@testable import Query

/// Checks that any pattern is refused or matches in its time, and that a quoted string matches
/// itself.
public enum RegexProperties {
  /// Checks one input. Its first line is the pattern, the rest the string.
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let text = String(decoding: parts[1], as: UTF8.self)
    for isCaseInsensitive in [false, true] {
      let allowance = MatchAllowance(time: .milliseconds(5), shortest: .milliseconds(1))
      do throws(ItemPredicateError) {
        let regex = try BoundedRegex(pattern, isCaseInsensitive: isCaseInsensitive, allowance: allowance)
        _ = regex.matches(text)
        _ = regex.matches(String(repeating: text, count: 50))
      } catch {
        require(!error.message.isEmpty, "There is a message.")
      }
      if text.contains("\\E") || text.utf8.count > 4_000 { continue }
      require(
        (try? BoundedRegex("\\Q\(text)", isCaseInsensitive: isCaseInsensitive).matches(text)) == true,
        "A quoted string matches itself.")
    }
  }
}
