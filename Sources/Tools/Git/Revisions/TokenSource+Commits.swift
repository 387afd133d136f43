package import Store
package import Streams

extension TokenSource {
  /// Makes the tokens of a stream that can resume from a commit.
  ///
  /// - Parameters:
  ///   - view: The hash of the view.
  ///   - hasDigests: True for tokens with a digest in any case. Outside of a repository, only a
  ///     recorded state needs it.
  ///   - head: The reader of HEAD; nil outside of a repository.
  package convenience init(view: String, hasDigests: Bool = false, at head: HeadReader?) {
    if let head {
      self.init(view: view, hasDigests: true) { head.commit() }
    } else {
      self.init(view: view, hasDigests: hasDigests)
    }
  }
}

extension TokenResume {
  /// Makes a search among the commits of a folder. It runs git.
  package init(
    in folder: String, _ options: StoreOptions, _ view: ViewIdentity,
    resolving resolve: @escaping RequestResolver
  ) {
    self.init(in: folder, view) { commit in
      if HeadReader(above: folder) == nil { return nil }
      return try? await RevisionList.list(of: folder, at: commit, options: options, resolve: resolve)
    }
  }
}
