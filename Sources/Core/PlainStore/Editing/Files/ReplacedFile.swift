import Files
import Glibc

/// A file that was replaced or deleted while programs that have it open for writing could not be
/// detected.
///
/// It keeps a temporary name until a grace period is over. Then `settle` checks if a program wrote
/// to it in the meantime.
struct ReplacedFile: Sendable {
  let held: HeldFile
  /// Its temporary name; nil if the file system could not give it one.
  let kept: RelativePath?
  /// The stamp of the file that took its place; nil if it was deleted.
  let placed: FileStamp?

  enum Finding {
    /// No program wrote to it. It is deleted.
    case unchanged(warnings: [String])
    /// Another program wrote to it. It has the item's name again.
    case restored(warnings: [String])
    /// Another program wrote to it, but another file has the item's name. The sentence says where
    /// the text is.
    case kept(String)
  }

  /// Checks the file again, in its locked folder.
  func settle(with saver: FileSaver) throws(SystemFailure) -> Finding {
    guard let kept else { return try settleWithoutName(saver) }
    guard saver.folder.stamp(of: kept) != nil else {
      // A person deleted it; its content can still be read.
      return try settleWithoutName(saver)
    }
    if held.isUntouched(at: kept, in: saver.folder) { return .unchanged(warnings: saver.remove(kept)) }
    return restore(kept, with: saver)
  }

  private func settleWithoutName(_ saver: FileSaver) throws(SystemFailure) -> Finding {
    guard let text = try held.changedBytes() else { return .unchanged(warnings: []) }
    let name = TemporaryName.old(
      read: TemporaryName.ContentStamp(held.content.stamp), new: nil,
      digest: TemporaryName.digest(held.content.bytes)
    )
    .make()
    _ = try saver.write(text, as: name, mode: 0o600) { file throws(SystemFailure) in
      try FileAttributes.copy(from: held.descriptor, to: file)
    }
    return restore(name, with: saver)
  }

  private func restore(_ kept: RelativePath, with saver: FileSaver) -> Finding {
    guard let placed else {
      var warnings: [String] = []
      return saver.rename(kept, toFreeName: &warnings) == 0
        ? .restored(warnings: warnings) : .kept(saver.kept(in: kept))
    }
    guard saver.folder.stamp(of: saver.name).map({ placed.isUntouched($0) }) ?? false else {
      return .kept(saver.kept(in: kept))
    }
    guard saver.abilities.exchanges, saver.folder.exchange(kept, saver.name) == 0 else {
      return .kept(saver.kept(in: kept))
    }
    if saver.folder.stamp(of: kept).map({ placed.isUntouched($0) }) ?? false {
      return .restored(warnings: saver.remove(kept))
    }
    // Another program was faster. Its file and the other text both stay.
    _ = saver.folder.exchange(kept, saver.name)
    return .kept(saver.kept(in: kept))
  }
}
