import Files
import Glibc
public import Query
package import Watch

/// An error of opening or saving to a store.
public struct StoreError: PlainStoreError {
  /// The kind of this error.
  public let code: ErrorCode
  /// Sentences that say what happened, where, and what to do.
  public let message: String
  /// The sentences that say what to do; nil if there are none.
  public let advice: String?

  package init(_ code: ErrorCode, _ message: String, advice: String? = nil) {
    self.code = code
    self.advice = advice.map { DisplayText.safe($0) }
    self.message = DisplayText.safe(message + (advice.map { " \($0)" } ?? ""))
  }

  /// Makes an error whose message contains the advice of its cause.
  package init(_ code: ErrorCode, _ message: String, containing advice: String?) {
    self.code = code
    self.advice = advice.map { DisplayText.safe($0) }
    self.message = DisplayText.safe(message)
  }

  /// Always nil, because the error is not about a place in a file.
  public var place: ErrorPlace? { nil }
  /// The message.
  public var description: String { message }

  package init(_ error: WatchError) {
    self.init(StoreError.code(error.errno), error.description, containing: error.advice)
  }

  private static func code(_ errno: CInt) -> ErrorCode {
    switch errno {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM: .permissionDenied
    default: .system
    }
  }
}
