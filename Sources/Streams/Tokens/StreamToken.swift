public import Store

/// The parts of a token: `n1.STREAM.NUMBER.SEQ.VIEW.DIGEST.COMMIT`. Parts that are unknown are `-`.
///
/// Readers of a stream compare tokens for equality only. A program that has the folder, too, finds out by the
/// parts whether its own list is the one that a token names.
public struct StreamToken: Sendable, Hashable, CustomStringConvertible {
  let stream: String
  /// The number of the token in its stream.
  let number: Int
  /// The number of the step that the token names.
  public let seq: Int
  var view: String?
  /// The list's ``StreamDigest``; nil if the stream was made without.
  public internal(set) var digest: String?
  /// The commit that was checked out when the token was made; nil without git, or if equal digests don't
  /// prove the same order.
  public internal(set) var commit: String?
}

extension StreamToken {
  /// The token, as a stream has it.
  public var description: String {
    let number = String(number, radix: 36)
    return [StreamToken.version, stream, number, "\(seq)", view ?? "-", digest ?? "-", commit ?? "-"].joined(
      separator: ".")
  }

  /// Parses a token. Nil if `text` is not a token of this version.
  public init?(parsing text: String) {
    guard text.utf8.count <= StreamToken.maxLength else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 7, parts[0] == StreamToken.version, StreamToken.isName(parts[1]),
      let number = Int(parts[2], radix: 36), number >= 0, let seq = Int(parts[3]),
      StreamToken.numbers.contains(seq)
    else { return nil }
    let optional = parts[4...].map { $0 == "-" ? nil : $0 }
    guard optional.allSatisfy({ $0.map(StreamToken.isHex) ?? true }),
      optional[2].map({ [40, 64].contains($0.utf8.count) }) ?? true
    else {
      return nil
    }
    self.init(
      stream: parts[1], number: number, seq: seq, view: optional[0], digest: optional[1], commit: optional[2])
  }

  static func goneReason(for text: String) -> GoneReason {
    let version = text.prefix { $0 != "." }
    guard version.utf8.first == UInt8(ascii: "n"), let number = Int(version.dropFirst()), number > 1 else {
      return .unknownToken
    }
    return .newerVersion
  }

  /// Returns true if a list is certainly the one that the token names, in the same order. O(n).
  public func recognizes(_ list: ListSnapshot<Item>) -> Bool {
    let found = StreamDigest(of: list)
    return found.description == digest && found.impliesOrder
  }

  private static let version = "n1"
  /// The numbers of steps. No stream has more; they can be counted up, and are exact in JSON.
  static let numbers = 0..<1 << 53
  /// Longer than any token of this version.
  private static let maxLength = 512

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  private static func isHex(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
