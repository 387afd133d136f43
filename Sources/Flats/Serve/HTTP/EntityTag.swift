import HTTPTypes
import Store
import Streams

/// The tag of one version of a resource (RFC 9110, 8.8.3).
struct EntityTag: CustomStringConvertible {
  /// The characters between the quotes.
  let opaque: String
  /// True if the tag only says that two versions are equivalent.
  var isWeak = false

  var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

  /// The version that a change is based on: the part of an item's tag that does not depend on what
  /// the server says about the item.
  var version: Substring { opaque.prefix { $0 != "-" } }
}

extension EntityTag {
  /// `version` names the file and its bytes, without a `-`. `shown` is the complete representation.
  init(version: String, shown: [UInt8]) { opaque = "\(version)-\(ContentDigest(of: shown).text)" }
}

enum TagCondition {
  /// `*`: any version.
  case any
  case tags([EntityTag])

  /// The number of tags that a header may have.
  private static let maxTags = 100

  /// Reads a header; nil if the request does not have it, 400 if it is malformed.
  init?(_ name: HTTPField.Name, in fields: HTTPFields) throws(ProblemDocument) {
    let values = fields[values: name]
    if values.isEmpty { return nil }
    let text = values.joined(separator: ",").utf8.filter { $0 != 0x20 && $0 != 0x09 }
    if text == Array("*".utf8) {
      self = .any
      return
    }
    guard let tags = TagCondition.tags(text[...]), !tags.isEmpty, tags.count <= TagCondition.maxTags else {
      throw ProblemDocument(
        .badRequest,
        "\(name.rawName) is malformed. Write the ETag of a response with its quotes, such as \(name.rawName): \"0a1b\", or *."
      )
    }
    self = .tags(tags)
  }

  private static func tags(_ text: ArraySlice<UInt8>) -> [EntityTag]? {
    var tags: [EntityTag] = []
    var rest = text
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: ",") {
        rest = rest.dropFirst()
        continue
      }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      let opaque = rest[(rest.startIndex + 1)..<end]
      guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
        let opaque = String(validating: opaque, as: UTF8.self)
      else { return nil }
      tags.append(EntityTag(opaque: opaque, isWeak: isWeak))
      rest = rest[(end + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    return tags
  }

  /// Returns true if a version of an item meets the condition of `If-Match`: a change depends on the
  /// file alone. A weak tag never matches.
  func matches(version: String) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { !$0.isWeak && $0.version == version }
    }
  }

  /// Returns true if a version is one of those of `If-None-Match`, which compares weakly.
  func matchesWeakly(_ tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { $0.opaque == tag.opaque }
    }
  }
}
