public import DirectoryWatch
import Glibc
public import PlainText

/// Why a change to an item was not saved. Unless the message says otherwise its file is as it was.
public struct EditError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: String, Sendable, Hashable {
    /// No item can have this id or path here, or its fields say another id.
    case invalidID
    /// There is no item of this id.
    case notFound
    /// There is one already.
    case exists
    /// Several files claim the id.
    case ambiguous
    /// The file, or the text that was to be written, cannot be read as an item.
    case unreadable
    /// The text cannot be edited in this way; `refusal` says more.
    case refused
    /// Somebody else changed the file since it was read, and the policy is `error`.
    case conflict
    /// Somebody else is writing the file, or the folder, and does not come to an end.
    case busy
    case permissionDenied
    /// A file system that is mounted read-only.
    case readOnly
    /// The disk, or a quota, is full.
    case noSpace
    /// Anything else that the system says.
    case system
  }

  public let code: Code
  public let id: Item.ID
  /// Nil where the id leads to none.
  public let path: RelativePath?
  /// A sentence or two: what is wrong, and what to do.
  public let message: String
  /// Where in the file; 1 and 1 where there is no place.
  public var line = 1
  public var column = 1
  /// The error of the text edit, if `code` is `refused` or the text could not be edited.
  public var refusal: TextEditError?
  /// True if another merge policy would have resolved the conflict.
  package internal(set) var dependsOnPolicy = false

  init(_ code: Code, _ id: Item.ID, _ path: RelativePath?, _ message: String, line: Int = 1, column: Int = 1) {
    self.code = code
    self.id = id
    self.path = path
    self.message = message
    self.line = line
    self.column = column
  }

  /// `path:line:column: message`, or the id in place of the path.
  public var description: String {
    guard let path else { return "\(id): \(message)" }
    return line == 1 && column == 1 ? "\(path): \(message)" : "\(path):\(line):\(column): \(message)"
  }
}

extension EditError {
  init(_ id: Item.ID, _ path: RelativePath, _ error: TextEditError) {
    self.init(
      [.unreadable, .foreignFrontMatter].contains(error.reason) ? .unreadable : .refused, id, path, "\(error.path): \(error.message)",
      line: error.line,
      column: error.column)
    refusal = error
  }

  init(_ id: Item.ID, _ path: RelativePath, _ error: TextError) {
    self.init(.unreadable, id, path, error.message, line: error.line, column: error.column)
  }

  /// What a look at the file said.
  init(_ id: Item.ID, _ problem: Problem) {
    self.init(
      problem.errno == 0 ? .unreadable : SystemFailure.code(problem.errno), id, problem.path, problem.message, line: problem.line,
      column: problem.column)
  }

  init(_ id: Item.ID, _ path: RelativePath, _ failure: SystemFailure) {
    self.init(failure.code, id, path, failure.sentence)
  }
}
