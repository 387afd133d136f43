/// What the base of a merge and its two sides have, such as their texts or their counts of a line.
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
