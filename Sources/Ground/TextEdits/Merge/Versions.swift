/// A value for each version in a merge: the base and the two sides.
struct Versions<Content> {
  var base: Content
  var ours: Content
  var theirs: Content

  init(_ base: Content, _ ours: Content, _ theirs: Content) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  func map<Result>(_ transform: (Content) -> Result) -> Versions<Result> {
    Versions<Result>(transform(base), transform(ours), transform(theirs))
  }
}

extension Versions: Sendable where Content: Sendable {}
