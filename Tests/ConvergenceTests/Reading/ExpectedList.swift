import Foundation
import TestSupport

/// The list and the problems that follow from a reading of the folder.
struct ExpectedList {
  /// The listed items by their ids.
  private(set) var shown: [ExactText: FolderEntry] = [:]
  /// Valid files whose id belongs to another file.
  private(set) var losers: Set<ExactText> = []
  let broken: Set<ExactText>
  let view: ListView
  private let ids: [ExactText: [ExactText]]

  init(_ reading: FolderReading, _ view: ListView) {
    self.view = view.isNamed ? reading.settings?.view ?? view : view
    broken = reading.broken
    var holders: [ExactText: FolderEntry] = [:]
    // The entries are sorted by path, so the first one with an id gets it.
    for entry in reading.entries where holders[entry.id] == nil { holders[entry.id] = entry }
    losers = Set(reading.entries.filter { holders[$0.id]?.path != $0.path }.map(\.path))
    ids = Dictionary(grouping: reading.entries, by: \.path).mapValues { $0.map(\.id) }
    shown = holders.filter { self.view.shows($0.value) }
  }

  /// True if no file is broken, so that no item keeps an old value and the list is known exactly.
  var isExact: Bool { broken.isEmpty }

  /// Returns the ids whose items may differ between a running stream and a new list, because of
  /// problems.
  func touched(by stream: StreamReader) -> Set<ExactText> {
    if isExact { return [] }
    let kept = stream.paths.filter { isBroken($0.value) }.map(\.key)
    return Set(kept + stream.problems.keys.flatMap { ids[$0] ?? [] })
  }

  /// Returns true if the path, or a folder above it, is broken.
  private func isBroken(_ path: ExactText) -> Bool {
    if broken.contains(path) { return true }
    return path.bytes.indices.contains {
      path.bytes[$0] == UInt8(ascii: "/") && broken.contains(ExactText(path.bytes[..<$0]))
    }
  }

  /// Describes the first difference of a list; nil if there is none.
  ///
  /// - Parameter aside: ids that are not compared.
  func difference(from list: [ListedItem], aside: Set<ExactText>) -> String? {
    let list = list.filter { !aside.contains($0.id) }
    for item in list {
      guard let entry = shown[item.id] else { return "\(item.id) is listed, but does not exist" }
      if entry.path != item.path { return "\(item.id) is at \(item.path) instead of \(entry.path)" }
      if view.projected(entry) != item.value {
        return "\(item.id) is \(item.value) instead of \(view.projected(entry))"
      }
      if view.section(entry) != item.section {
        return "\(item.id) is in section `\(item.section)` instead of `\(view.section(entry))`"
      }
    }
    for (item, next) in zip(list, list.dropFirst()) where item.section == next.section {
      guard let entry = shown[item.id], let other = shown[next.id], !view.isOrdered(entry, other) else {
        continue
      }
      return "\(item.id) is listed before \(next.id)"
    }
    if let window = view.window {
      let count = min(window.limit, max(0, shown.count - window.offset))
      return list.count == count ? nil : "\(list.count) items instead of \(count)"
    }
    let missing = Set(shown.keys).subtracting(aside).subtracting(list.map(\.id)).sorted()
    return missing.isEmpty ? nil : "missing: \(missing.map(\.description))"
  }

  /// Describes a difference of the problems; nil if there is none.
  ///
  /// - Parameter isFresh: whether they come from a new list. A running stream may also report files
  ///   whose id belongs to an item that kept its last good value.
  func difference(fromProblems problems: Set<ExactText>, isFresh: Bool) -> String? {
    let missing = broken.union(losers).subtracting(problems)
    if !missing.isEmpty { return "no problem at \(missing.sorted().map(\.description))" }
    let more = problems.subtracting(broken).subtracting(losers)
    if more.isEmpty || (!isFresh && !isExact && more.allSatisfy { ids[$0] != nil || isBroken($0) }) {
      return nil
    }
    return "a problem at \(more.sorted().map(\.description))"
  }
}

/// An item of a printed list.
struct ListedItem: Equatable {
  let id: ExactText
  let path: ExactText
  let section: ExactText
  let value: NSDictionary
}

extension StreamReader {
  var items: [ListedItem] {
    sections.flatMap { section in
      section.items.map {
        ListedItem(id: $0, path: paths[$0] ?? "", section: section.id, value: values[$0] ?? [:])
      }
    }
  }
}
