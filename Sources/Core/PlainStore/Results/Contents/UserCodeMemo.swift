import Query
import Values

/// The results of user code in one change of a list. If the list changed in the meantime and the
/// change must be computed again, no closure is called twice for one item.
struct UserCodeMemo: Sendable {
  private var decodings: [Item.ID: Decoding] = [:]
  private var functions: ItemFunctions?
  private var values: [Item.ID: (item: Item, values: DerivedValues)] = [:]

  /// Decodes an item.
  mutating func decode(_ item: Item, with decoder: ModelDecoder) -> Decoding {
    if let known = decodings[item.id], known.item === item { return known }
    let decoding = Decoding(item: item, result: decoder.decode(item))
    decodings[item.id] = decoding
    return decoding
  }

  /// Calls functions for an item and its model.
  mutating func values(of item: Item, _ model: Model?, by functions: ItemFunctions) -> DerivedValues {
    if functions != self.functions {
      self.functions = functions
      values = [:]
    }
    if let known = values[item.id], known.item === item { return known.values }
    let result = functions.values(of: item, model)
    values[item.id] = (item, result)
    return result
  }
}

/// The result of decoding an item.
struct Decoding: Sendable {
  let item: Item
  let result: Result<Model, Problem>
}
