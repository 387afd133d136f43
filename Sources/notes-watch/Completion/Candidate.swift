/// A word that completes a command line.
struct Candidate: Hashable {
  /// The complete word, as the program reads it.
  let text: String
  /// What the shell shows beside it; empty for nothing.
  var about = ""
  /// True if something must follow, such as the value after `--sort=`. The shell then adds no space.
  var isPartial = false
}
