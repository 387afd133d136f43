import CPCRE2
import Glibc

/// A regular expression in the syntax of PCRE2 that must match a complete string within the time of
/// its ``MatchAllowance``.
///
/// Thread-safe: the compiled pattern is not changed by a match.
final class BoundedRegex: Sendable {
  /// The compiled pattern. PCRE2 only reads it, and no other object has it.
  private nonisolated(unsafe) let code: OpaquePointer  // A match only reads it.
  private let allowance: MatchAllowance

  init(_ pattern: String, isCaseInsensitive: Bool, allowance: MatchAllowance = MatchAllowance())
    throws(ItemPredicateError)
  {
    guard pattern.utf8.count <= BoundedRegex.maxPatternSize else {
      throw ItemPredicateError(at: 0, "a pattern has at most \(BoundedRegex.maxPatternSize) bytes")
    }
    code = try BoundedRegex.compile(pattern, isCaseInsensitive)
    self.allowance = allowance
  }

  deinit { pcre2_code_free_8(code) }

  private static let maxPatternSize = 10_000

  private static func compile(_ pattern: String, _ isCaseInsensitive: Bool) throws(ItemPredicateError)
    -> OpaquePointer
  {
    let translated = try RegexTranslation(pattern)
    // A callout before each item is where a match can be stopped. `\C` would split a character.
    var options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_AUTO_CALLOUT
      | PCRE2_NEVER_BACKSLASH_C
    if isCaseInsensitive { options |= PCRE2_CASELESS }
    guard let context = pcre2_compile_context_create_8(nil) else {
      throw ItemPredicateError(at: 0, "there is no memory for the pattern")
    }
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY))
    pcre2_set_bsr_8(context, UInt32(PCRE2_BSR_UNICODE))
    var (error, offset): (CInt, Int) = (0, 0)
    let code = translated.bytes.withUnsafeBufferPointer { bytes in
      pcre2_compile_8(bytes.baseAddress, bytes.count, options, &error, &offset, context)
    }
    if let code { return code }
    throw ItemPredicateError(at: 0, refusal(of: pattern, error, at: translated.sourceOffset(of: offset)))
  }

  /// The message for a pattern that PCRE2 refuses. `offset` is the number of bytes before the mistake.
  private static func refusal(of pattern: String, _ error: CInt, at offset: Int) -> String {
    if let mistake = usualMistake(in: pattern) { return mistake }
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
    let column = String(decoding: pattern.utf8.prefix(offset), as: UTF8.self).count
    return "the pattern is not a valid regular expression: \(text) (after character \(column))"
  }

  /// Returns a description of a usual mistake in a pattern; nil if it has none of them.
  private static func usualMistake(in pattern: String) -> String? {
    var groups: [Int] = []
    var openClass: Int?
    var isEscaped = false
    var column = 0
    for character in pattern {
      column += 1
      switch character {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "[" where openClass == nil: openClass = column
      case "]": openClass = nil
      case _ where openClass != nil: break
      case "(": groups.append(column)
      case ")":
        if groups.popLast() == nil { return "the `)` at character \(column) of the pattern closes nothing" }
      default: break
      }
    }
    if isEscaped { return "the pattern ends in a lone backslash" }
    if let openClass { return "the `[` at character \(openClass) of the pattern is not closed" }
    if let group = groups.last { return "the `(` at character \(group) of the pattern is not closed" }
    if let first = pattern.first, "*+?".contains(first) {
      return "the pattern begins with `\(first)`, which has nothing to repeat; use LIKE for * and ?"
    }
    return nil
  }

  private static let maxHeap: UInt32 = 64 << 10

  /// Returns false if the match takes too much time or memory.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      // A string is valid UTF-8, so PCRE2 need not check it.
      switch run(bytes, options: PCRE2_NO_UTF_CHECK) {
      case 0...: return true
      case PCRE2_ERROR_NOMATCH: break
      case PCRE2_ERROR_CALLOUT, PCRE2_ERROR_MATCHLIMIT: allowance.runOut()
      default: allowance.exceed()
      }
      return false
    }
  }

  /// Returns a number that is not negative after a match, otherwise the error of PCRE2.
  private func run(_ bytes: UnsafeBufferPointer<UInt8>, options: UInt32) -> CInt {
    guard let context = pcre2_match_context_create_8(nil) else { return PCRE2_ERROR_NOMEMORY }
    defer { pcre2_match_context_free_8(context) }
    guard let data = pcre2_match_data_create_8(1, nil) else { return PCRE2_ERROR_NOMEMORY }
    defer { pcre2_match_data_free_8(data) }
    pcre2_set_heap_limit_8(context, BoundedRegex.maxHeap)
    pcre2_set_match_limit_8(context, UInt32(clamping: allowance.steps(for: bytes.count)))
    var deadline = MatchDeadline(allowance, byteCount: bytes.count)
    return withUnsafeMutablePointer(to: &deadline) { deadline in
      pcre2_set_callout_8(
        context,
        { _, deadline in deadline?.assumingMemoryBound(to: MatchDeadline.self).pointee.check() ?? 0 },
        deadline)
      // Some versions of PCRE2 do not take a null pointer for an empty string.
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) { nothing in
        pcre2_match_8(code, bytes.baseAddress ?? nothing, bytes.count, 0, options, data, context)
      }
    }
  }
}

/// The time at which a match is stopped. PCRE2 asks before each item of the pattern.
///
/// Only the time of the thread on a processor counts, so that a busy machine or a suspended process changes
/// no result. Reading that clock is a system call, so it is read only when that much wall time has passed.
private struct MatchDeadline {
  /// The number of items between two looks at the clock.
  private let interval: Int
  private var rest: Int
  private let allowance: MatchAllowance
  /// The time before which the match is not stopped; nil until the first look at the clock.
  private var end: ContinuousClock.Instant?
  /// The time on a processor after which the match is stopped.
  private var processorEnd = Duration.zero

  init(_ allowance: MatchAllowance, byteCount: Int) {
    self.allowance = allowance
    // One item can read the complete text: the longer it is, the more often the clock is read.
    interval = max(1, MatchDeadline.bytesPerCheck / max(1, byteCount))
    rest = interval
  }

  /// The number of bytes that are read in some 50 µs.
  private static let bytesPerCheck = 20_000

  /// Returns 0, or an error that stops the match because its time is over.
  mutating func check() -> CInt {
    rest -= 1
    if rest > 0 { return 0 }
    rest = interval
    let now = ContinuousClock.now
    guard let end else {
      let time = allowance.time
      end = now + time
      processorEnd = MatchDeadline.processorTime + time
      return 0
    }
    if now <= end { return 0 }
    let time = processorEnd - MatchDeadline.processorTime
    self.end = now + time
    return time < .zero ? PCRE2_ERROR_CALLOUT : 0
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
