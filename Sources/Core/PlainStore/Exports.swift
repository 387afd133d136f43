// The types that the interface of `PlainStore` is made of: values and edits, paths, snapshots and
// their differences, and observation. With these exports, `import PlainStore` is the only import
// that a user needs.
@_exported public import DiffableSnapshot
@_exported public import Files
@_exported public import Folder
@_exported public import Observation
@_exported public import Query
@_exported public import TextEdits
@_exported public import Values
@_exported public import Watch
