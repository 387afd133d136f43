import Files
import Folder
import Values

/// The state of a store that an edit scope is based on.
struct ScopeBase: Sendable {
  let state: StoreState
  /// The fields that make an item's id; empty if its path does.
  let idFields: [FieldPath]
  let limits: ReadLimits
  let rules: PathRules
  /// The types that the store was used with.
  let models: KnownModels

  init(_ state: StoreState, _ options: StoreOptions, _ models: KnownModels) {
    self.state = state
    self.models = models
    idFields = options.idFields ?? state.settings.idFields
    limits = options.limits
    rules = PathRules(ignore: state.settings.ignore)
  }
}

extension FileStamp {
  /// The stamp of a file that does not exist yet.
  static let none = FileStamp(
    size: 0, modified: FileTime(seconds: 0), changed: FileTime(seconds: 0), created: FileTime(seconds: 0))
}
