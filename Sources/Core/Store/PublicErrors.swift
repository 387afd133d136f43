#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Every public error is a `LocalizedError`, so that `localizedDescription` is its message. The
// modules below this one do without Foundation.

extension TextError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

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

extension StoreError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SaveError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension EditError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension SettingsError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ItemPredicateError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension Problem: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}
