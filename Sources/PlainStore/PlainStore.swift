// What `import PlainStore` gives a user: live lists, saving, models, and the types that their
// interfaces are made of. `Store` exports those of the layers below it.
@_exported public import Models
@_exported public import Observation
@_exported public import Store
