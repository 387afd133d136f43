package import Foundation

/// JSON as another program reads it, with a parser that is not ours.
@dynamicMemberLookup
package enum JSON: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([JSON])
  case map([String: JSON])

  package init(_ text: some DataProtocol) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text))
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let list = try? container.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .map(try container.decode([String: JSON].self))
    }
  }

  package subscript(dynamicMember key: String) -> JSON { self[key] }

  /// The value of a key; `.null` if it is missing.
  package subscript(key: String) -> JSON {
    if case .map(let map) = self { map[key] ?? .null } else { .null }
  }

  package subscript(index: Int) -> JSON { list.indices.contains(index) ? list[index] : .null }

  package var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  package var keys: Set<String> { if case .map(let map) = self { Set(map.keys) } else { [] } }
  package var string: String? { if case .string(let string) = self { string } else { nil } }
  package var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(integerLiteral number: Int) { self = .number(Double(number)) }
  package init(booleanLiteral bool: Bool) { self = .bool(bool) }
  package init(arrayLiteral elements: JSON...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) { self = .map(Dictionary(elements) { $1 }) }
  package init(nilLiteral: ()) { self = .null }
}
