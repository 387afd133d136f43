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

extension RevisionList {
  /// Returns a function that makes the list of a folder at a commit; nil outside of a repository. It
  /// runs git.
  ///
  /// - Parameters:
  ///   - options: The limits and the id fields.
  ///   - resolve: Makes the request from the settings.
  package static func committed(
    in folder: String, _ options: StoreOptions, resolving resolve: @escaping RequestResolver
  ) -> @Sendable (String) async -> ResultsSnapshot? {
    { commit in
      if HeadReader(above: folder) == nil { return nil }
      return try? await list(of: folder, at: commit, options: options, resolve: resolve)
    }
  }
}
