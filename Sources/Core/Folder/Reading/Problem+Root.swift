import Files
import Query
package import SystemPackage
package import Watch

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
