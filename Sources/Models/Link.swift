public import Query
public import Store

/// A link to the item of a model. In a file it is the id of that item.
///
/// ```swift
/// struct Author: PlainModel {
///   var id: String
///   var name: String
/// }
///
/// struct Book: PlainModel {
///   var id: String
///   var title: String
///   var author: Link<Author>?  // author: people/ada
///   var reviewers: [Link<Author>] = []
/// }
///
/// let books = try store.list(of: Book.self).snapshot
/// for book in books { print(book.title, books.resolve(book.author)?.name ?? "unknown") }
/// ```
///
/// Wherever a list, a fetch or a change of a model names a field, a path follows its links: predicates, orders,
/// sections, search fields, and values such as `max`. The list is updated when an item on the way is created,
/// changed or deleted, also for elements that its predicate excluded.
///
/// ```swift
/// let byAuthor = try store.list(of: Book.self, sort: "author.name", section: "author.name")
/// let adas = try store.fetch(of: Book.self, where: "ANY reviewers.name = \("Ada")", sort: "author.name")
/// ```
///
/// - A list of links is read as a list of maps would be: `reviewers.name` are the names, and
///   `ANY reviewers (name = \("Ada") AND rating > 3)` tests each reviewer. The fields of an item that does not
///   exist are missing. A pseudo-field after a link is a key in backquotes.
/// - Paths follow properties that are a `Link`, or an optional, an array or a set of them, if the type decodes
///   itself by its `CodingKeys`, and so on in the linked type. Lists of items do not know links.
/// - A list whose objects have links is updated when a linked item is created, changed or deleted.
/// - If the settings name an `id-field`, the id is the value of that field, so a link still leads
///   to an item whose file was renamed.
/// - A link may lead nowhere. Then it resolves to nil.
public struct Link<Target: PlainModel>: Hashable, Sendable, Identifiable {
  /// The id of the item that the link leads to.
  public let id: Item.ID

  /// Creates a link to an item.
  public init(_ id: some ItemIDConvertible) {
    self.id = id.itemID.item
  }

  /// Creates a link to the item of a model.
  public init(_ target: Target) {
    id = target.itemID
  }
}

extension Link: ExpressibleByStringInterpolation {
  /// Creates a link to the item whose id is exactly this string.
  public init(stringLiteral text: String) {
    id = Item.ID(text)
  }
}

extension Link: Codable {
  /// Decodes a link from the id as it is. A number or a date in a file counts as its text.
  public init(from decoder: any Decoder) throws {
    let values = decoder as? ValueDecoder
    id = try values.flatMap { Item.ID(linkedBy: $0.value) } ?? Item.ID(from: decoder)
    values?.links?.all.append((id, FieldPath(keys: decoder.codingPath.map(\.stringValue))))
  }

  /// Encodes the id as it is, as a string.
  ///
  /// - Throws: `EncodingError.invalidValue` if the bytes of the id are not UTF-8.
  public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
}

extension Link: CustomStringConvertible {
  /// The id of the item, in its printed form.
  public var description: String { id.description }
}

extension ListSnapshot {
  /// Returns the model that a link leads to, as it was at the moment of the snapshot; it need not be
  /// in the list. Nil if there is no such item, or if it does not decode, which a list of the target's
  /// type reports as a problem. O(log n) and the decoding of the item.
  public func resolve<Target>(_ link: Link<Target>?) -> Target? {
    link.flatMap { storeItems[$0.id.item] }.flatMap { try? $0.decode(Target.self) }
  }
}

extension ItemStore {
  /// Returns the model that a link leads to now; nil if there is none. O(log n) and decoding the item.
  ///
  /// - Throws: A `Problem` at the line of the value that cannot be read as the target's type.
  public func resolve<Target>(_ link: Link<Target>?) throws -> Target? {
    try link.flatMap { item($0.id) }.map { item throws(Problem) in try decode(item, as: Target.self) }
  }
}

/// Resolves links at the moment of one snapshot, called like a function: `resolve(book.author)`.
public struct LinkResolver: Sendable {
  let snapshot: ListSnapshot<Item>

  /// Returns the model that a link leads to; nil if there is no such item, or if it does not
  /// decode. O(log n) and the decoding of the item.
  public func callAsFunction<Target>(_ link: Link<Target>?) -> Target? { snapshot.resolve(link) }
}

/// The links that are found while one item is decoded.
final class FoundLinks {
  var all: [KnownModels.Link] = []
  var ids: Set<Item.ID> { Set(all.map(\.id)) }
}

extension FieldPath {
  /// The path as the file has it: there, the values of a case of an enumeration have no keys `_0`, `_1`, ….
  func asWritten(in fields: Value) -> FieldPath {
    var value: Value? = fields
    var path: [String] = []
    for key in keys {
      var key: String? = key
      if let name = key, name.first == "_", let number = Int(name.dropFirst()), value?[name] == nil {
        key = if case .list = value { "\(number)" } else { nil }
      }
      if let key {
        path.append(key)
        value = value?.element(at: FieldPath(keys: [key]))
      }
    }
    return FieldPath(keys: path)
  }
}

extension Link: PropertyContainer {
  static var content: Any.Type { Target.self }
  static var isLink: Bool { true }
}
