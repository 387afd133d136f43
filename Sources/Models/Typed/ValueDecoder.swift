#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Folder
public import Query
import Values

/// Decodes a user's own types directly from values, so that numbers and dates arrive as they are
/// written in the file.
///
/// - Integers must fit. A number without a fraction is an integer in any notation. `Double` is the
///   nearest number, `Decimal` has the digits as written.
/// - `Date` is decoded from ISO 8601 dates and times (UTC if they have no zone), `String` from
///   these as written, and `URL` from strings.
/// - Keys at the root that begin with `@` are the pseudo-fields: `case path = "@path"`.
/// - At the root of a `PlainModel`, one more key is the id of the item (see `ItemKeys`).
struct ValueDecoder {
  /// Deeper values are refused. A type that contains itself is decoded by recursion, and no file
  /// may exhaust the stack.
  static let maxDepth = 200

  let value: Value
  let codingPath: [any CodingKey]
  /// The item whose pseudo-fields can be decoded; nil below the root.
  let item: Item?
  /// True at the root of a `PlainModel`.
  let isModel: Bool
  /// True if the value is the id of the item: a string, which is also decoded as a number.
  let isItemID: Bool
  /// Collects the links of the item; nil if nobody asks for them.
  let links: FoundLinks?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes an item as a type that is not a model.
  init(_ item: Item, links: FoundLinks? = nil) {
    self.init(item.fields.value, at: [], of: item, links: links)
  }

  /// Decodes an item as a model with these defaults.
  init(_ item: Item, defaults: Fields, links: FoundLinks? = nil) {
    let fields = item.fields.value.fields ?? [:]
    self.init(.map(fields.filled(with: defaults)), at: [], of: item, isModel: true, links: links)
  }

  private init(
    _ value: Value, at codingPath: [any CodingKey], of item: Item? = nil, isModel: Bool = false,
    isItemID: Bool = false, links: FoundLinks?
  ) {
    self.value = value
    self.codingPath = codingPath
    self.item = item
    self.isModel = isModel
    self.isItemID = isItemID
    self.links = links
  }

  func inside(_ value: Value, _ key: any CodingKey, isItemID: Bool = false) -> ValueDecoder {
    ValueDecoder(value, at: codingPath + [key], isItemID: isItemID, links: links)
  }

  func decodeWhole<Whole: Decodable>(_ type: Whole.Type) throws -> Whole {
    if let scalar = type as? any DecodableScalar.Type, let whole = try decodeScalar(scalar) as? Whole {
      return whole
    }
    if codingPath.count > ValueDecoder.maxDepth {
      let context = DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "This is nested deeper than \(ValueDecoder.maxDepth) levels.")
      throw DecodingError.dataCorrupted(context)
    }
    return try Whole(from: self)
  }

  func decodeScalar<Scalar: DecodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    if let scalar = Scalar(value) ?? (isItemID ? Scalar(Value(plain: value.text)) : nil) { return scalar }
    throw mismatch(type, Scalar.expected)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let found =
      value == .null ? "nothing" : value.isScalar ? "\(value.kindName) `\(value.text)`" : value.kindName
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "Expected \(expected), found \(found).")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension Item {
  /// Decodes the item as your own type. The keys are the item's fields and the pseudo-fields
  /// (`@id`, `@path`, `@modified`, …).
  ///
  /// ```swift
  /// struct Color: Decodable { var name: String, hex: String }
  /// let color = try item.decode(Color.self)
  /// ```
  ///
  /// For a `PlainModel` the key `id` is the id of the item, and its `defaults` serve missing
  /// fields.
  ///
  /// - Parameter type: The type to decode.
  /// - Throws: The errors of the type's `init(from:)`. The decoder itself throws only
  ///   `DecodingError`, with a sentence.
  public func decode<Object: Decodable>(_ type: Object.Type) throws -> Object {
    try decode(type, links: nil)
  }

  /// Decodes the item, and collects the links in it.
  func decode<Object: Decodable>(_ type: Object.Type, links: FoundLinks?) throws -> Object {
    if let model = type as? any PlainModel.Type, let object = try decodeModel(model, links) as? Object {
      return object
    }
    return try ValueDecoder(self, links: links).decodeWhole(type)
  }

  /// Decodes the item as a model.
  ///
  /// - Throws: `DecodingError` also if the model has another id than the item. Saving it would
  ///   change another file.
  private func decodeModel<Object: PlainModel>(_ type: Object.Type, _ links: FoundLinks?) throws -> Object {
    let object = try ValueDecoder(self, defaults: Object.defaults, links: links).decodeWhole(type)
    let found = object.itemID
    if found == id { return object }
    let context = DecodingError.Context(
      codingPath: [],
      debugDescription:
        "The id of this `\(Object.self)` is `\(found)`, but the id of its item is `\(id)`. Rename the item, or change `itemID` of the type."
    )
    throw DecodingError.dataCorrupted(context)
  }
}

/// A type that is decoded from one value, without containers.
protocol DecodableScalar: Decodable {
  /// Decodes a value. Fails if the value is not of this type or does not fit.
  init?(_ value: Value)
  /// The expected value, for messages: `an integer`.
  static var expected: String { get }
}

extension Bool: DecodableScalar {
  static let expected = "true or false"

  init?(_ value: Value) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
}

extension String: DecodableScalar {
  static let expected = "a string"

  init?(_ value: Value) {
    switch value {
    case .string(let text): self = text
    case .date(let date): self = date.text
    default: return nil
    }
  }
}

extension FixedWidthInteger where Self: DecodableScalar {
  static var expected: String { "an integer from \(min) to \(max)" }

  init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    // No integer type has more digits than these.
    let exact =
      if case .integer(let integer) = number { Self(exactly: integer) } else {
        number.integerDigits(maxDigits: 40).flatMap { Self($0) }
      }
    guard let exact else { return nil }
    self = exact
  }
}

extension Int: DecodableScalar {}
extension Int8: DecodableScalar {}
extension Int16: DecodableScalar {}
extension Int32: DecodableScalar {}
extension Int64: DecodableScalar {}
extension Int128: DecodableScalar {}
extension UInt: DecodableScalar {}
extension UInt8: DecodableScalar {}
extension UInt16: DecodableScalar {}
extension UInt32: DecodableScalar {}
extension UInt64: DecodableScalar {}
extension UInt128: DecodableScalar {}

extension Double: DecodableScalar {
  static let expected = "a number"

  /// The nearest number. A literal beyond the range is refused; the infinities of YAML are not.
  init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    if case .literal = number, number.doubleValue.isInfinite { return nil }
    self = number.doubleValue
  }
}

extension Float: DecodableScalar {
  static let expected = "a number"

  init?(_ value: Value) {
    guard let double = Double(value) else { return nil }
    self = Float(double)
    if isInfinite, double.isFinite { return nil }
  }
}

extension Decimal: DecodableScalar {
  static let expected = "a decimal number"

  /// The digits as written, as many as fit.
  init?(_ value: Value) {
    guard case .number(let number) = value, number.doubleValue.isFinite,
      let decimal = Decimal(string: number.description)
    else { return nil }
    self = decimal
  }
}

extension Date: DecodableScalar {
  static let expected = "an ISO 8601 date or time"

  init?(_ value: Value) {
    guard case .date(let date) = value else { return nil }
    self.init(date)
  }
}

extension Data: DecodableScalar {
  static let expected = "a string in base64, or a list of bytes"

  init?(_ value: Value) {
    switch value {
    case .string(let text):
      guard let data = Data(base64Encoded: text) else { return nil }
      self = data
    case .list(let elements):
      let bytes = elements.compactMap { UInt8($0) }
      guard bytes.count == elements.count else { return nil }
      self.init(bytes)
    default: return nil
    }
  }
}

extension URL: DecodableScalar {
  static let expected = "a URL"

  init?(_ value: Value) {
    guard let text = String(value) else { return nil }
    self.init(string: text)
  }
}
