// An edit is made of values and their paths. With this export, `import TextEdits` is the only import
// that a user needs.
@_exported public import Values
