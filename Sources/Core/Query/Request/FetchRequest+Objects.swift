import Values

extension SectionDescriptor {
  /// Creates a descriptor for a function of the objects of a list, for a list of that type.
  ///
  /// ```swift
  /// let byFirstWord = SectionDescriptor(of: Contact.self, by: { String($0.name.prefix { $0 != " " }) })
  /// let byName = SectionDescriptor(of: Contact.self, by: \.name, titles: ["Ada": "Countess"])
  /// let list = try store.list(of: Contact.self, section: byName)
  /// ```
  ///
  /// Descriptors with functions are equal only if one is a copy of the other. So make one once and
  /// keep it: another instance makes the list's sections again. In a list of another type all
  /// objects are in the section `""`.
  ///
  /// - Parameter name: Returns the name of an object's section; nil counts as `""`. It runs outside
  ///   of all locks, once each time an object changed. It may run again for an unchanged one, so it
  ///   should have no effects.
  public init<Object: Equatable & Sendable>(
    of type: Object.Type, by name: @escaping @Sendable (Object) -> String?, descending: Bool = false,
    order: [SectionID] = [],
    titles: [SectionID: String] = [:]
  ) {
    let function = ItemFunction<String?> { _, model in (model?.value as? Object).flatMap(name) }
    self.init(function, descending: descending, order: order, titles: titles)
  }
}

extension ItemSortDescriptor {
  /// Creates a descriptor for a function of the objects of a list, for a list of that type.
  ///
  /// ```swift
  /// let longestFirst = ItemSortDescriptor(of: Contact.self, by: \.name.count, descending: true)
  /// let list = try store.list(of: Contact.self, sort: longestFirst, "name")
  /// ```
  ///
  /// Descriptors with functions are equal only if one is a copy of the other. So make one once and keep it:
  /// another instance sorts the list again. In a list of another type all objects are equal.
  ///
  /// - Parameter key: Returns the value to compare: a string, a number, a boolean or a date; nil
  ///   counts as null. It runs outside of all locks, once each time an object changed. It may run
  ///   again for an unchanged one, so it should have no effects.
  public init<Object: Equatable & Sendable>(
    of type: Object.Type, by key: @escaping @Sendable (Object) -> (any Encodable)?,
    descending: Bool = false,
    nullsFirst: Bool = false
  ) {
    let function = ItemFunction { _, model in
      (model?.value as? Object).flatMap(key).flatMap { PredicateOperand(of: $0)?.constant }
    }
    self.init(function, descending: descending, nullsFirst: nullsFirst)
  }
}
