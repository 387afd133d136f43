import Glibc
import SystemPackage

/// The reason why a change to an item was not saved.
///
/// Unless the message says otherwise, the file is unchanged.
public struct EditError: PlainStoreError, Hashable {
  /// The kind of the reason.
  public let code: ErrorCode
  /// The id of the item.
  public let id: Item.ID
  /// The path of the file; nil if the id leads to no file.
  package let path: RelativePath?
  /// Sentences: what is wrong, and what to do.
  public let message: String
  /// The sentences that say what to do; nil if there are none.
  public internal(set) var advice: String?
  /// The line in the file, from 1; 1 if the error has no place.
  package var line = 1
  /// The column in the line, from 1, in Unicode scalars; 1 if the error has no place.
  package var column = 1
  /// The error of the text edit, if `code` is `refused` or the text could not be edited.
  package var refusal: TextEditError?
  /// The texts that differ, if the file is not as the change expected it to be.
  package internal(set) var conflict: EditConflict?
  /// True if another merge policy would have resolved the conflict.
  package internal(set) var dependsOnPolicy = false

  package init(
    _ code: ErrorCode, _ id: Item.ID, _ path: RelativePath?, _ message: String, advice: String? = nil,
    line: Int = 1, column: Int = 1
  ) {
    self.code = code
    self.id = id
    self.path = path
    self.message = message + (advice.map { " \($0)" } ?? "")
    self.advice = advice
    self.line = line
    self.column = column
  }

  /// The file, and the line and column in it; nil if the id leads to no file.
  public var place: ErrorPlace? { path.map { ErrorPlace($0, line: line, column: column) } }

  /// `path:line:column: message`, or the id instead of the path. Control characters are escaped.
  public var description: String {
    guard let path else { return DisplayText.safe("\(id): \(message)") }
    return DisplayText.safe(
      line == 1 && column == 1 ? "\(path): \(message)" : "\(path):\(line):\(column): \(message)")
  }
}

extension EditError {
  init(_ id: Item.ID, _ path: RelativePath, _ error: TextEditError) {
    self.init(
      [.unreadable, .foreignFrontMatter].contains(error.reason) ? .unreadable : .refused, id, path,
      "\(error.path): \(error.message)",
      line: error.line,
      column: error.column)
    refusal = error
  }

  init(_ id: Item.ID, _ path: RelativePath, _ error: TextError) {
    self.init(.unreadable, id, path, error.message, line: error.line, column: error.column)
  }

  init(_ id: Item.ID, _ path: RelativePath, _ problem: Problem) {
    self.init(
      problem.error.map(EditError.code) ?? .unreadable, id, path, problem.message, line: problem.line,
      column: problem.column)
    advice = problem.advice
  }

  private static func code(_ error: Errno) -> ErrorCode {
    switch error.rawValue {
    case EACCES, EPERM: .permissionDenied
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .noSpace
    case EEXIST: .exists
    case EBUSY: .busy
    case ENAMETOOLONG, ELOOP, EXDEV, ENOTDIR: .invalidID
    default: .system
    }
  }

  static func ignored(_ id: Item.ID, _ path: RelativePath) -> EditError {
    EditError(
      .notFound, id, path, "The settings ignore this file, so it is not an item.",
      advice: "Remove its pattern from `ignore`.")
  }
}

extension FolderName {
  /// Like `description`, with the path as the caller's folder is named.
  package func description(of error: EditError) -> String {
    guard let path = error.path else { return error.description }
    let place = error.line == 1 && error.column == 1 ? "" : ":\(error.line):\(error.column)"
    return "\(self.path(of: path))\(place): \(error.message)"
  }
}

/// The two texts of a conflict: what a change expected of a file, and what the file holds.
///
/// If the reading on which the change is based kept the text, both are complete texts of the file. Otherwise
/// only its values are known, and both are written from values: comments are not compared.
package struct EditConflict: Sendable, Hashable, CustomStringConvertible {
  /// The text on which the change is based; nil if there should be no file.
  package let expected: [UInt8]?
  /// The text that was found; nil if there is no file.
  package let found: [UInt8]?

  /// The sizes of the texts.
  package var description: String {
    func size(_ text: [UInt8]?) -> String { text.map { "\($0.count) bytes" } ?? "no file" }
    return "expected \(size(expected)), found \(size(found))"
  }
}

extension EditConflict {
  init(_ change: PendingChange, _ format: TextFormat, _ current: FileContent?, _ limits: ReadLimits) {
    guard let revision = change.revision, revision.bytes == nil, !change.lacksOriginal else {
      self.init(expected: change.revision?.bytes, found: current?.bytes)
      return
    }
    func text(_ fields: Fields?) -> [UInt8]? {
      fields.flatMap { try? ItemText.new($0, as: format, limits).bytes }
    }
    // A text that cannot be read as an item has no values to compare.
    let found = current.map { current in text(current.text.values) ?? current.bytes
    }
    self.init(expected: text(revision.fields.value.fields) ?? [], found: found)
  }
}

extension Problem {
  /// A failed system call of a save; the caller knows the file. `action` begins "… failed", and
  /// `consequence` is a sentence about the state of the file afterwards.
  init(_ action: String, _ code: CInt, consequence: String = "Nothing was changed.") {
    let error = Errno(rawValue: code)
    self.init(path: .root, message: "\(action) failed: \(error.reason). \(consequence)")
    self.error = error
  }

  static func of<Answer: ~Copyable>(_ action: String, _ body: () throws(Errno) -> Answer) throws(Problem)
    -> Answer
  {
    do throws(Errno) { return try body() } catch { throw Problem(action, error.rawValue) }
  }

  func adding(_ sentences: [String]) -> Problem {
    var problem = Problem(path: path, message: ([message] + sentences).joined(separator: " "))
    problem.advice = advice
    problem.error = error
    return problem
  }
}
