import Query
package import Values

/// The part of a store's options that the reading of its files needs.
package struct ReadOptions: Sendable {
  /// The limits for each file, such as its size in bytes and its depth.
  package var limits: ReadLimits
  /// The fields that make an item's id; nil for those that the settings name.
  package var idFields: [FieldPath]?
  /// The number of threads that read files if there are many.
  package var readers: Int
  /// Receives the number of files that were read so far, on the threads that read them.
  package var onProgress: @Sendable (_ filesRead: Int) -> Void

  package init(
    limits: ReadLimits = ReadLimits(), idFields: [FieldPath]? = nil, readers: Int = 2,
    onProgress: @escaping @Sendable (_ filesRead: Int) -> Void = { _ in }
  ) {
    self.limits = limits
    self.idFields = idFields
    self.readers = readers
    self.onProgress = onProgress
  }
}
