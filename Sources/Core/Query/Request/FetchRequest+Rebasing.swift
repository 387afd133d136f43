extension FetchRequest {
  /// Returns `new` with each part in which this request differs from `old`.
  package func rebased(from old: FetchRequest, onto new: FetchRequest) -> FetchRequest {
    func part<Part: Equatable>(_ path: KeyPath<FetchRequest, Part>) -> Part {
      self[keyPath: path] == old[keyPath: path] ? new[keyPath: path] : self[keyPath: path]
    }
    return FetchRequest(
      sort: part(\.sort), section: part(\.section), folder: part(\.folder), predicate: part(\.predicate),
      search: part(\.search), searchFields: part(\.searchFields), fields: part(\.fields),
      limit: part(\.limit), offset: part(\.offset), emptyText: part(\.emptyText))
  }
}
