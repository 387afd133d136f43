import CLinux
import Dispatch
import Synchronization

/// The texts of a list that is searched.
extension FetchedResults {
  /// The time after the last search at which the texts are released.
  static let corpusLifetime = Duration.seconds(60)

  /// Sets a timer that releases the texts of the list a minute after the last search. Does nothing
  /// if there are no texts, or if the timer is set.
  func scheduleCorpusRelease() {
    let isNeeded = state.withLock { state in
      guard state.index.corpus != nil, !state.releasesCorpus else { return false }
      state.releasesCorpus = true
      return true
    }
    if isNeeded { scheduleCorpusRelease(after: FetchedResults.corpusLifetime) }
  }

  private func scheduleCorpusRelease(after delay: Duration) {
    DispatchQueue(label: "release of texts").asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
      guard let rest = self?.releaseCorpus(unusedFor: FetchedResults.corpusLifetime) else { return }
      self?.scheduleCorpusRelease(after: rest)
    }
  }

  /// Releases the texts, unless the list was searched lately.
  ///
  /// - Returns: The time after which to try again; nil if there are no texts any more.
  func releaseCorpus(unusedFor lifetime: Duration) -> Duration? {
    var released: SearchCorpus?
    let rest: Duration? = state.withLock { state in
      guard let corpus = state.index.corpus else {
        state.releasesCorpus = false
        return nil
      }
      let unused = ContinuousClock.now - corpus.lastUse
      if unused < lifetime { return lifetime - unused }
      released = corpus
      state.index.corpus = nil
      state.releasesCorpus = false
      return nil
    }
    if released.take() != nil {
      // The texts are large blocks, which the C library would keep.
      clinux_trim_memory()
    }
    return rest
  }
}
