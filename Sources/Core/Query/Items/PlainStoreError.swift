package import Files
public import Values

/// An error of a store, of a list or of a change.
///
/// ```swift
/// do {
///   try await store.update("ada", as: Contact.self) { $0.rating += 1 }
/// } catch let error as any PlainStoreError {
///   print(error.code, error.place?.description ?? "", error.message)
/// }
/// ```
///
/// Calls of a store throw without naming a type, because they run your code (`validate`, closures,
/// `init(from:)`), whose errors pass unchanged. All other errors are of this protocol: ``EditError`` for one
/// item, ``SaveError`` for several, ``Problem`` for a file that cannot be read, ``StoreError`` for a folder,
/// ``ItemPredicateError`` for a predicate.
public protocol PlainStoreError: Error, CustomStringConvertible {
  /// The kind of the error.
  var code: ErrorCode { get }
  /// Sentences for people: what is wrong, and what to do.
  var message: String { get }
  /// Where the error is; nil if it is not in a file or a text.
  var place: ErrorPlace? { get }
  /// The sentences of the message that say what to do; nil if there are none.
  var advice: String? { get }
}

/// The kind of an error. Later versions may add kinds.
public struct ErrorCode: Hashable, Sendable, CustomStringConvertible {
  /// No item can have this id or path here, or its fields make another id.
  public static let invalidID = ErrorCode("invalidID")
  /// There is no such item or folder.
  public static let notFound = ErrorCode("notFound")
  /// There is already an item with this id.
  public static let exists = ErrorCode("exists")
  /// Several files have the id.
  public static let ambiguous = ErrorCode("ambiguous")
  /// The file or the new text cannot be read as an item.
  public static let unreadable = ErrorCode("unreadable")
  /// The text cannot be edited in this way.
  public static let refused = ErrorCode("refused")
  /// The model is not valid: it cannot be encoded or decoded again, or a unique field has the value of
  /// another item.
  public static let invalid = ErrorCode("invalid")
  /// Another program changed the file since it was read, and the policy is `error`.
  public static let conflict = ErrorCode("conflict")
  /// Another program keeps the file or the folder busy.
  public static let busy = ErrorCode("busy")
  /// Other items have links to the item, need them, or cannot have its new id; or the store knows no model.
  public static let linked = ErrorCode("linked")
  /// The change was not made, or was taken back, because another change of a save that is all or nothing failed.
  public static let rolledBack = ErrorCode("rolledBack")
  /// A text cannot be parsed, such as a predicate, or a request names a field that its type does not have.
  public static let malformed = ErrorCode("malformed")
  /// The settings file cannot be read or understood.
  public static let badSettings = ErrorCode("badSettings")
  /// The user may not read or write the file.
  public static let permissionDenied = ErrorCode("permissionDenied")
  /// The file system is mounted read-only.
  public static let readOnly = ErrorCode("readOnly")
  /// The disk, or a quota, is full.
  public static let noSpace = ErrorCode("noSpace")
  /// Another error of the system.
  public static let system = ErrorCode("system")

  /// The name of the code, such as `notFound`.
  public let description: String

  private init(_ name: String) {
    description = name
  }
}

/// The place of an error in a file, or in a text without a file.
public struct ErrorPlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file below the root; nil for a text without a file, such as a predicate.
  public let path: String?
  /// The line, from 1.
  public let line: Int
  /// The column in the line, from 1, in Unicode scalars.
  public let column: Int

  package init(_ path: RelativePath?, line: Int = 1, column: Int = 1) {
    self.path = path.map { $0 == .root ? "." : $0.description }
    self.line = line
    self.column = column
  }

  /// The place as compilers print it: `friends/ada.yaml:3:9`. Control characters are escaped.
  public var description: String { DisplayText.safe((path.map { "\($0):" } ?? "") + "\(line):\(column)") }
}

extension TextError: PlainStoreError {
  /// Always `malformed`.
  public var code: ErrorCode { .malformed }
  /// The line and the column in the text.
  public var place: ErrorPlace? { ErrorPlace(nil, line: line, column: column) }
  /// Always nil, because the message says what to do.
  public var advice: String? { nil }
}
