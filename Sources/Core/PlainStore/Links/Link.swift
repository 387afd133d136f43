public import Query

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
/// let books = store.results(of: Book.self).snapshot
/// for book in books { print(book.title, books.resolve(book.author)?.name ?? "unknown") }
/// ```
///
/// - A list whose objects have links is updated when a linked item is created, changed or deleted.
/// - If the settings name an `id-field`, the id is the value of that field, so a link still leads
///   to an item whose file was renamed.
/// - A link may lead nowhere. Then it resolves to nil.
public struct Link<Target: PlainModel>: Hashable, Sendable, Identifiable {
  /// The id of the item that the link leads to.
  public let id: Item.ID

  /// Creates a link to an item.
  ///
  /// - Parameter id: The id of the item, which need not exist.
  public init(_ id: Item.ID) {
    self.id = id.item
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
    id = try (decoder as? ValueDecoder)?.linkedID ?? Item.ID(from: decoder)
    LinkCollector.current?.insert(id)
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
