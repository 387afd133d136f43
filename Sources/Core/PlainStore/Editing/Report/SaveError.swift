/// The error of a save in which at least one change was not made.
///
/// Each change is made completely or not at all, independent of the others. `report` says which
/// changes were made.
///
/// ```swift
/// var scope = store.makeEditScope()
/// scope.delete("bob")
/// do {
///   try await store.save(scope)
/// } catch let error as SaveError {
///   for failure in error.failures { print(failure) }
/// }
/// ```
public struct SaveError: Error, Sendable, CustomStringConvertible {
  /// The outcomes of all changes, including those that were made.
  public let report: SaveReport
  /// The code of the first error.
  public let code: EditError.Code

  /// Creates the error of a report. Returns nil if no change failed.
  init?(_ report: SaveReport) {
    guard let first = report.failures.first else { return nil }
    self.report = report
    code = first.code
  }

  /// The errors of the changes that were not made, in the order of the changes.
  public var failures: [EditError] { report.failures }

  /// The error of the change if there is only one; otherwise the number of changes that were not
  /// made, and the first error.
  public var description: String {
    let failures = failures
    guard let first = failures.first else { return "No change was made." }
    if report.outcomes.count == 1 { return first.description }
    let count = report.outcomes.count
    return failures.count == 1
      ? "1 of \(count) changes was not saved. \(first)"
      : "\(failures.count) of \(count) changes were not saved. The first error: \(first)"
  }
}
