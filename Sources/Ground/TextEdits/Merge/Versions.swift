/// What the base of a merge and its two sides have, such as their texts or their counts of a line.
struct Versions<Content> {
  var base: Content
  var ours: Content
  var theirs: Content

  init(_ base: Content, _ ours: Content, _ theirs: Content) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }
}

extension Versions: Sendable where Content: Sendable {}
