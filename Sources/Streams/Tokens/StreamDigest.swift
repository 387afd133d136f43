public import Store

/// The part of a token that identifies its list: a digest of the rows and of the rule that orders them. Equal
/// lists have equal digests in every run and on every machine. If the rule orders by what the rows don't
/// show, such as the times of files, lists in different orders have equal digests, too. It does not protect
/// against attackers.
///
/// ```swift
/// let shown = results.snapshot
/// var digest = StreamDigest(of: shown)
/// for await update in results.updates(after: shown) { digest.apply(update) }
/// ```
public struct StreamDigest: Sendable, CustomStringConvertible {
  private var digest: ListDigest
  private var request: FetchRequest
  /// True if the list is a partial one or was stored.
  private var isPartial: Bool

  /// Computes the digest of a list. O(n), on several threads.
  public init(of list: ListSnapshot<Item>) {
    digest = ListDigest(of: list)
    request = list.request
    isPartial = list.isPartial
  }

  /// Makes the digest of the old list of an update that of its new list. O(log n) per change.
  public mutating func apply(_ update: ListUpdate<Item>) {
    digest.apply(update)
    request = update.new.request
    isPartial = update.new.isPartial
  }

  /// The digest as 32 hexadecimal digits.
  public var description: String {
    ContentDigest(of: Array(([digest.text] + request.orderingRule).joined(separator: "\0").utf8)).text
  }

  /// True if another list with this digest has the same order, because everything that decides
  /// the order is part of the rows.
  var impliesOrder: Bool { !isPartial && request.isOrderedByRows }
}

extension FetchRequest {
  /// The descriptors that decide the order and the titles, as strings without NUL. The first string
  /// names the order of values itself, so that a token of a program with another order is unknown:
  /// until version 2, missing values came first in ascending order.
  fileprivate var orderingRule: [String] {
    var rule = ["order 2"] + sort.map(\.description)
    if let section {
      rule.append("section")
      rule.append(section.description)
      rule += section.order.map(\.description)
      rule += section.titles.map { "\($0.key)=\($0.value)" }.sorted()
    }
    return rule
  }

  /// True if equal rows are in the same order. False if the order depends on fields that are not
  /// shown, or on the times of files.
  fileprivate var isOrderedByRows: Bool {
    guard section?.function == nil else { return false }
    return sort.allSatisfy { descriptor in
      guard let path = descriptor.path else { return false }
      guard let pseudo = PseudoField(path) else { return fields.isEmpty || fields.contains(path) }
      return [.id, .path, .dir, .name, .ext].contains(pseudo) || fields.contains(path)
    }
  }
}
