#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Every public error is a `LocalizedError`, so that `localizedDescription` is its message. The
// modules below this one do without Foundation.

extension PlainStoreError where Self: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension EditError: LocalizedError {}
extension ItemPredicateError: LocalizedError {}
extension Problem: LocalizedError {}
extension SaveError: LocalizedError {}
extension StoreError: LocalizedError {}
extension TextError: LocalizedError {}

extension TextEditError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension WatchError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SnapshotError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SettingsError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}
