import Synchronization

/// Makes the tokens of one stream. No token is made twice, not even for a failed attempt.
///
/// All encoders of one stream share it, so it is a class with an atomic counter.
package final class TokenSource: Sendable {
  private let stream = String(UInt64.random(in: .min ... .max), radix: 36)
  /// The hash of the view, or nil if tokens do not name one.
  private let view: String?
  package let hasDigests: Bool
  /// Returns the commit at HEAD, or nil outside of a repository.
  private let commit: (@Sendable () -> String?)?
  /// The number of tokens so far. It can exceed the number of steps, because bookmarks and failed
  /// attempts have tokens without being steps.
  private let count = Atomic(0)

  /// - Parameter hasDigests: True if each token has a digest of its list. This costs a hash per row at
  ///   the start and per changed row.
  package init(view: String? = nil, hasDigests: Bool = false, commit: (@Sendable () -> String?)? = nil) {
    self.view = view
    self.hasDigests = hasDigests
    self.commit = commit
  }

  /// Returns a new token of a step. Its list may have no digest, which is then not kept.
  func next(seq: Int, _ list: StreamDigest? = nil) -> String {
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    let commit = list?.impliesOrder == true ? self.commit?() : nil
    return StreamToken(
      stream: stream, number: number, seq: seq, view: view, digest: list?.description, commit: commit
    ).description
  }

  package func hasMade(_ token: String) -> Bool {
    guard let parsed = StreamToken(parsing: token) else { return false }
    return parsed.stream == stream && (0..<count.load(ordering: .relaxed)).contains(parsed.number)
  }
}
