import DirectoryWatch
import Glibc
import PlainText

/// Finding items beside editors, which may take a file away a moment before they put the new one in its place.
extension EditSession {
  /// Where an item's file is. One that is missing is looked for again, for a moment.
  mutating func locate(_ id: Item.ID) throws(EditError) -> RelativePath {
    let end = ContinuousClock.now + (absent.contains(id) ? .zero : EditSession.gap)
    while true {
      do throws(EditError) {
        return try locator.path(of: id)
      } catch {
        if error.code != .notFound || ContinuousClock.now >= end {
          if error.code == .notFound { absent.insert(id) }
          throw error
        }
      }
      lookAgain()
    }
  }

  /// Waits until all of these are there, or for a moment; so many ids that are missing cost one wait.
  mutating func await(_ ids: [Item.ID]) {
    let end = ContinuousClock.now + EditSession.gap
    var missing = ids.filter { isMissing($0) }
    while !missing.isEmpty, ContinuousClock.now < end {
      lookAgain()
      missing = missing.filter { isMissing($0) }
    }
    absent.formUnion(missing)
  }

  /// The same for the items that changes are made to.
  mutating func await(_ changes: [PendingChange]) {
    // A single one is waited for when it is looked for.
    if changes.count > 1 { self.await(changes.compactMap { if case .insert = $0.act { nil } else { $0.id } }) }
  }

  private mutating func isMissing(_ id: Item.ID) -> Bool {
    do throws(EditError) {
      _ = try locator.path(of: id)
      return false
    } catch {
      return error.code == .notFound
    }
  }

  private mutating func lookAgain() {
    usleep(locator.idFields.isEmpty ? 2_000 : 20_000)
    locator.refresh()
  }
}

/// Where ids are fields, no single folder knows them all: the lock of the root keeps writers of ours apart, from the reading of all ids to the writing of one.
///
/// It is acquired before the lock of any folder, and never while one is held.
struct RootLock {
  let folder: SaveFolder
  /// False where folders cannot be locked.
  let isHeld: Bool
  /// Others get a turn then, and what they wrote is read.
  let end: ContinuousClock.Instant
}

extension EditSession {
  /// Acquires the lock of the root where ids are fields, and reads what changed since it was held last.
  mutating func lockIDs(for id: Item.ID) throws(EditError) {
    guard !locator.idFields.isEmpty else { return }
    if let lock = rootLock {
      if ContinuousClock.now < lock.end { return }
      rootLock = nil
      // Longer than those who wait sleep between two tries.
      usleep(15_000)
    }
    do throws(SystemFailure) {
      guard let root = try SaveFolder.open(.root, below: locator.root) else { throw SystemFailure("Opening the root", ENOENT) }
      let result = try root.lock(patience: patience)
      if result == .busy {
        throw SystemFailure("Locking the root, which another program does not let go of,", EBUSY)
      }
      let start = ContinuousClock.now
      locator.refresh()
      let now = ContinuousClock.now
      rootLock = RootLock(folder: root, isHeld: result == .held, end: now + max(.milliseconds(200), (now - start) * 4))
    } catch {
      throw EditError(id, .root, error)
    }
  }
}
