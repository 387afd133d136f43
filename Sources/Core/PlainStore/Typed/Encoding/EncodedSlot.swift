import Values

/// A place for a value that is being encoded. Containers keep the slots of their parts, because a
/// type may fill them in any order.
final class EncodedSlot {
  enum Content {
    case value(Value)
    case map(EncodedMap)
    case list(EncodedList)
  }

  /// The content; nil if nothing was encoded yet.
  var content: Content?

  /// The encoded value. If nothing was encoded, it is an empty map, as with the standard library's
  /// encoders. The depth is limited by `ValueEncoder.maxDepth`.
  var value: Value {
    switch content {
    case nil: .map([:])
    case .value(let value): value
    case .map(let map): .map(map.fields)
    case .list(let list): .list(list.slots.map(\.value))
    }
  }
}

/// A map that is being encoded.
final class EncodedMap {
  private var slots: [(key: String, slot: EncodedSlot)] = []
  private var positions: [ExactString: Int] = [:]

  /// Returns the slot of a key: a new one, which replaces that of an earlier value.
  func slot(of key: String) -> EncodedSlot {
    let slot = EncodedSlot()
    if let position = positions[ExactString(key)] {
      slots[position].slot = slot
    } else {
      positions[ExactString(key)] = slots.count
      slots.append((key, slot))
    }
    return slot
  }

  /// Returns the slot of a key for a nested container: the one that is there, or a new one.
  func sharedSlot(of key: String) -> EncodedSlot {
    positions[ExactString(key)].map { slots[$0].slot } ?? slot(of: key)
  }

  /// The encoded fields, in the order of their slots.
  var fields: Fields { slots.reduce(into: Fields()) { $0.append($1.slot.value, unique: $1.key) } }
}

/// A list that is being encoded.
final class EncodedList {
  private(set) var slots: [EncodedSlot] = []

  /// Returns the slot of a new element at the end.
  func append() -> EncodedSlot {
    let slot = EncodedSlot()
    slots.append(slot)
    return slot
  }
}
