package import Files
import Glibc
package import Query
package import SystemPackage
package import Watch

/// The open root of a data set. Everything that is read through it comes from one folder, even if
/// another folder gets its name in the meantime.
package final class OpenFolder: Sendable {
  private let folder: Descriptor
  package var descriptor: CInt { folder.raw }

  /// Opens a folder by its path.
  package init(_ path: String) throws(Errno) {
    folder = try Descriptor.folder(path)
  }

  /// Opens a folder by its path.
  ///
  /// - Parameter name: The path that errors show.
  package init(_ path: String, named name: String) throws(StoreError) {
    do throws(Errno) {
      folder = try Descriptor.folder(path)
    } catch {
      throw StoreError(.opening(name, error.rawValue))
    }
  }

  /// Adopts an open folder.
  package init(_ folder: consuming Descriptor) {
    self.folder = folder
  }

  /// Opens a regular file below the folder; nil if nothing is there.
  ///
  /// - Parameter isRegular: True if the folder's listing said so. The file is then opened without
  ///   checking its kind first.
  /// - Throws: A problem if it can't be an item or can't be opened.
  package func openFile(_ path: RelativePath, isRegular: Bool = false) throws(Problem) -> OpenFile? {
    if !isRegular, let status = try status(of: path), !status.isRegularFile {
      throw Problem(path: path, isNoFileBut: status.kind)
    }
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor.beneath(descriptor, path, O_RDONLY | O_NONBLOCK)
    } catch {
      if error.meansMissing(path) { return nil }
      throw Problem(path: path, action: "opened", error)
    }
    return try OpenFile(file, path: path)
  }

  /// Returns the stamp of what is at a path; nil if nothing is there. It is not opened.
  package func stamp(of path: RelativePath) throws(Problem) -> FileStamp? { try status(of: path)?.stamp }

  package func status(of path: RelativePath) throws(Problem) -> FileStatus? {
    do throws(Errno) {
      return try path.withCString { path throws(Errno) in try FileStatus(beneath: descriptor, path) }
    } catch {
      if error.meansMissing(path) { return nil }
      throw Problem(path: path, action: "examined", error)
    }
  }
}

extension Errno {
  /// Returns true if nothing is at the path below the root. Any other error doesn't show whether
  /// anything exists.
  fileprivate func meansMissing(_ path: RelativePath) -> Bool {
    // No file can have a longer name than its file system allows. The system also refuses a long
    // path, although its file may exist.
    if self == .fileNameTooLong { return path.bytes.count < PATH_MAX }
    return [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink].contains(self)
  }
}

extension Problem {
  /// Makes the problem of a root that is missing or cannot be opened.
  package init(openingRoot root: String, _ error: Errno) { self.init(ofRoot: .opening(root, error.rawValue)) }

  /// Makes the problem of a root that is missing or cannot be read. It is tried again in any case:
  /// the watch may see the root again before this process does.
  package init(ofRoot error: WatchError) {
    self.init(path: .root, message: error.description)
    isTransient = true
    self.error = Errno(rawValue: error.errno)
  }
}
