import Files
import Testing

@testable import Watch

@Suite struct GitMarkerTests {
  @Test(arguments: [
    "index.lock", "index.stash.12.lock", "next-index-7.lock", "HEAD.lock", "rebase-merge", "rebase-apply",
    "rebased-patches", "sequencer",
    "MERGE_HEAD", "REBASE_HEAD", "index.stash.12",
  ])
  func `a name that git uses while it works is a marker`(name: String) {
    #expect(GitMarker(name: name.utf8) != nil)
  }

  @Test(arguments: [
    "index", "HEAD", "config.lock", "ORIG_HEAD", "COMMIT_EDITMSG", "FETCH_HEAD", "packed-refs.lock", "",
  ])
  func `any other name is not a marker`(name: String) {
    #expect(GitMarker(name: name.utf8) == nil)
  }
}
