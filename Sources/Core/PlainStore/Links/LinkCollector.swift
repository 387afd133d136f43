import Query
import Synchronization
import Values

/// The ids of the links that are decoded in one task.
final class LinkCollector: Sendable {
  /// The collector of the item that this task decodes; nil if it decodes none.
  @TaskLocal static var current: LinkCollector?

  /// Lock: guards the links found while one item is decoded.
  private let links = Mutex<Set<Item.ID>>([])

  /// Adds the id of a link.
  func insert(_ id: Item.ID) { links.withLock { _ = $0.insert(id) } }

  /// Runs a decoding and returns its result with the ids of the links in it.
  static func collect<Object>(_ decode: () throws -> Object) rethrows -> (object: Object, links: Set<Item.ID>)
  {
    let collector = LinkCollector()
    let object = try $current.withValue(collector, operation: decode)
    return (object, collector.links.withLock { $0 })
  }
}

extension ValueDecoder {
  /// The id that the value names; nil if it is not a scalar with a text.
  var linkedID: Item.ID? {
    switch value {
    case .string, .number, .date: Item.ID(value.idText)
    case .null, .bool, .list, .map: nil
    }
  }
}
