// The library that users import: live lists and saving (`Store`), typed models (`Models`), and the
// types of the layers below, which `Store` exports.
@_exported public import Models
@_exported public import Observation
@_exported public import Store
