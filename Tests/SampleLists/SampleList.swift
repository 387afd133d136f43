import DiffableSnapshot
import Files
import HashTreeCollections
package import Store
package import Values

/// A list made by hand: items in the given order, divided into sections by the request.
package struct SampleList {
  package var request: FetchRequest
  package var items: [Item]
  package var problems: [Problem]

  package init(_ items: [Item], request: FetchRequest = FetchRequest(), problems: [Problem] = []) {
    self.request = request
    self.items = items
    self.problems = problems
  }

  package var snapshot: ListSnapshot<Item> {
    get throws {
      var sections: [SectionID] = request.section?.order ?? [""]
      var members: [SectionID: [Item.ID]] = [:]
      for item in items {
        let section = request.section?.sectionID(of: item) ?? ""
        if !sections.contains(section) { sections.append(section) }
        members[section, default: []].append(item.id)
      }
      var list = try Snapshot(sections.map { (id: $0, items: members[$0] ?? []) })
      for section in sections { try list.setPinned(true, section: section) }
      let itemsByID = ItemTable(uniqueKeysWithValues: items.map { ($0.id, $0) })
      let problemsByPath = TreeDictionary(uniqueKeysWithValues: problems.map { ($0.path, $0) })
      return ListSnapshot<Item>(request: request, list: list, items: itemsByID, problems: problemsByPath)
    }
  }

  /// Returns the update from this list to another one. Any item may have changed.
  package func update(to new: SampleList, origin: UpdateOrigin = .files) throws -> ListUpdate<Item> {
    ListUpdate<Item>(from: try snapshot, to: try new.snapshot, touched: nil, origin: origin)
  }

  /// Returns the list with other fields for one item.
  package func replacing(_ id: String, with fields: Fields) -> SampleList {
    var copy = self
    copy.items = items.map { $0.id.description == id ? .sample(id, fields) : $0 }
    return copy
  }
}

extension Item {
  package static func sample(_ id: String, _ fields: Fields, ext: String = "yaml") -> Item {
    let path = RelativePath(bytes: "\(id).\(ext)".utf8)
    return Item(
      id: ID(path: path), path: path, stamp: FileStamp(size: 0, at: FileTime(seconds: 0)),
      fields: PackedValue(.map(fields)))
  }
}

extension Value {
  package static func int(_ number: Int) -> Value { .number(.integer(number)) }
}

extension FetchRequest {
  package static func showing(_ fields: String...) -> FetchRequest {
    FetchRequest(fields: fields.compactMap { try? FieldPath(parsing: $0) })
  }

  package static func sectioned(by field: String, order: [SectionID] = [], titles: [SectionID: String] = [:])
    -> FetchRequest
  {
    let path = try? FieldPath(parsing: field)
    return FetchRequest(section: path.map { SectionDescriptor($0, order: order, titles: titles) })
  }
}
