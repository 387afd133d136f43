#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Values

/// A type that is encoded as one value, without containers.
protocol EncodableScalar: Encodable {
  /// The value; nil if no file can hold it.
  var encoded: Value? { get }
}

extension Bool: EncodableScalar { var encoded: Value? { .bool(self) } }
extension String: EncodableScalar { var encoded: Value? { .string(self) } }
extension URL: EncodableScalar { var encoded: Value? { .string(absoluteString) } }

extension FixedWidthInteger where Self: EncodableScalar {
  var encoded: Value? {
    (Int(exactly: self).map(Number.integer) ?? Number(json: String(self))).map(Value.number)
  }
}

extension Int: EncodableScalar {}
extension Int8: EncodableScalar {}
extension Int16: EncodableScalar {}
extension Int32: EncodableScalar {}
extension Int64: EncodableScalar {}
extension Int128: EncodableScalar {}
extension UInt: EncodableScalar {}
extension UInt8: EncodableScalar {}
extension UInt16: EncodableScalar {}
extension UInt32: EncodableScalar {}
extension UInt64: EncodableScalar {}
extension UInt128: EncodableScalar {}

extension Double: EncodableScalar { var encoded: Value? { .number(.double(self)) } }

extension Float: EncodableScalar {
  /// The shortest text that reads back as this number: `0.1`, not `0.10000000149011612`.
  var encoded: Value? {
    guard isFinite, let short = Double(description), Float(short) == self else {
      return .number(.double(Double(self)))
    }
    return .number(.double(short))
  }
}

extension Decimal: EncodableScalar {
  var encoded: Value? { isFinite ? Number(json: description).map(Value.number) : nil }
}

extension Data: EncodableScalar { var encoded: Value? { .string(base64EncodedString()) } }

extension Date: EncodableScalar {
  /// The time in UTC with as many digits as needed. No file can hold the years before 0 and after
  /// 9999.
  var encoded: Value? { Timestamp(self).map(Value.date) }
}
