// The types that the interface of `Store` is made of: values and edits, paths, snapshots and their
// differences. With these exports, `import Store` is the only import that a target of the package
// needs; `PlainStore` exports it with the models to users.
@_exported public import DiffableSnapshot
@_exported public import Files
@_exported public import Folder
@_exported public import Query
@_exported public import TextEdits
@_exported public import Values
@_exported public import Watch
