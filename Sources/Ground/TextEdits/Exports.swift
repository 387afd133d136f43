// Edits are made of values and paths; with this export, `import TextEdits` is the only import needed.
@_exported public import Values
