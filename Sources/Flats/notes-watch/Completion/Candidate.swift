/// A word that completes a command line.
struct Candidate: Hashable {
  /// The complete word, as the program reads it.
  let text: String
  /// The description that the shell shows beside it; empty for none.
  var about = ""
  /// True if more must follow, such as the value after `--sort=`. The shell then adds no space.
  var isPartial = false
}
