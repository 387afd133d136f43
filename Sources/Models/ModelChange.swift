public import Values

/// A change of a type since some of its files were written: a field has another name, or another type.
///
/// ```swift
/// struct Contact: PlainModel {
///   var id: String
///   var email: String  // was `mail`
///   var rating: Int  // was a string of stars
///   static let changes: [ModelChange] = [
///     .renamed("mail", to: "email"),
///     .converted("rating") { (stars: String) in stars.count },
///   ]
/// }
/// ```
///
/// The changes are made in their order to the fields of each file, before it gets the `defaults` and is
/// decoded. So objects, lists, predicates and unique fields see an older file as the type is now. The file
/// gets its new form when a save changes the object, or by `store.migrate(Contact.self)`.
///
/// The path of a field consists of keys. Below a list, it means each element: `phones.number`.
public struct ModelChange: Sendable, CustomStringConvertible {
  enum Kind: Sendable {
    case renamed(to: String)
    case converted(@Sendable (Value) throws -> Value?)
  }

  let field: FieldPath
  let kind: Kind

  /// A field that has a new name. If a file has both names, the new one counts, and the old one stays in the
  /// file as an unknown field.
  ///
  /// ```swift
  /// let change = ModelChange.renamed("address.zip", to: "postcode")  // now `address.postcode`
  /// ```
  ///
  /// - Parameters:
  ///   - old: The path of the field as it was.
  ///   - name: The new last key of the path.
  public static func renamed(_ old: FieldPath, to name: String) -> ModelChange {
    ModelChange(field: old, kind: .renamed(to: name))
  }

  /// A field whose values were of another type.
  ///
  /// A value that does not decode as the old type is left as it is: it may have the new form already. If both
  /// forms look the same, give the field a new name, too. A file that has the new name is past the changes
  /// that are listed before it:
  ///
  /// ```swift
  /// let changes: [ModelChange] = [
  ///   .converted("height") { (metres: Double) in metres / 0.3048 },
  ///   .renamed("height", to: "feet"),
  /// ]
  /// ```
  ///
  /// - Parameters:
  ///   - field: The path of the field, as the changes before this one name it.
  ///   - convert: Returns the new value, or nil to leave the value as it is. It must depend on its argument
  ///     alone; it may run on any thread, and often. An error that it throws is a problem of the item, at the
  ///     line of the field.
  public static func converted<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
    _ field: FieldPath, _ convert: @escaping @Sendable (Old) throws -> New?
  ) -> ModelChange {
    converted(field) { (value: Value) in
      guard let old = try? ValueDecoder(value).decodeWhole(Old.self) else { return nil }
      return try convert(old).map { try ValueEncoder.value(of: $0) }
    }
  }

  /// A field whose values had another form, which may be of several types.
  ///
  /// Files have no version, so the closure also gets values of the new form, and returns nil for these. One
  /// that converts its own result again makes each file that has the field a problem.
  ///
  /// ```swift
  /// let change = ModelChange.converted("done") { value in
  ///   switch value {
  ///   case .string(let text): .bool(text == "yes")
  ///   case .date: true
  ///   default: nil
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - field: The path of the field, as the changes before this one name it. A missing field and null are
  ///     not converted.
  ///   - convert: Returns the new value; nil if the value has the new form already. It must depend on its
  ///     argument alone; it may run on any thread, and often. An error that it throws is a problem of the
  ///     item, at the line of the field.
  public static func converted(
    _ field: FieldPath, _ convert: @escaping @Sendable (Value) throws -> Value?
  ) -> ModelChange {
    ModelChange(field: field, kind: .converted(convert))
  }

  /// The change, such as `mail renamed to email` or `rating converted`.
  public var description: String {
    switch kind {
    case .renamed(let name): "\(field) renamed to \(name)"
    case .converted: "\(field) converted"
    }
  }
}
