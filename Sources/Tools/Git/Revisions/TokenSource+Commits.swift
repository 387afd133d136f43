package import Store
package import Streams

extension TokenSource {
  /// Makes the tokens of a stream that can resume from a commit, if it is in a repository. Otherwise
  /// only a recorded state needs digests.
  package convenience init(view: String, hasDigests: Bool = false, at head: HeadReader?) {
    if let head {
      self.init(view: view, hasDigests: true) { head.commit() }
    } else {
      self.init(view: view, hasDigests: hasDigests)
    }
  }
}

extension RevisionList {
  /// Returns a function that lists a folder at a commit, by running git; nil outside of a repository.
  package static func committed(
    in folder: String, _ options: StoreOptions, resolving resolve: @escaping RequestResolver
  ) -> @Sendable (String) async -> ListSnapshot<Item>? {
    { commit in
      if HeadReader(above: folder) == nil { return nil }
      return try? await list(of: folder, at: commit, options: options, resolve: resolve)
    }
  }
}
