import PlainStore

struct Contact: PlainModel {  // Codable & Equatable & Identifiable & Sendable
  var id: String  // ada.yaml is "ada"
  var name: String
  var rating: Int
  static let defaults: Fields = ["rating": 0]  // for files without the field
}

let store = try await ItemStore.open("contacts")  // created if missing; watched
let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
Task {
  for await update in best.updates {
    for change in update.changes { print(change) }  // + ada at 0 · > bob 1 → 0, changed · - ada from 1
  }
}
try await store.replace(Contact(id: "ada", name: "Ada", rating: 9))  // even if others changed ada.yaml
try await store.update("ada", as: Contact.self) { $0.rating += 1 }  // changes that number only
