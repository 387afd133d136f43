import Values

/// Candidates as a shell gets them: those that fit, without control characters, not too many.
struct CandidateList {
  /// The most words from a folder that are offered.
  static let maxCount = 200

  /// The candidates, in the order in which the shell gets them.
  private(set) var candidates: [Candidate] = []

  /// Chooses candidates.
  ///
  /// - Parameters:
  ///   - candidates: All candidates.
  ///   - typed: The current word.
  ///   - ignoresCase: True for a shell that itself decides whether case matters.
  init(_ candidates: some Sequence<Candidate>, typed: String, ignoresCase: Bool) {
    let start = ignoresCase ? typed.lowercased() : typed
    var known: Set<ExactString> = []
    self.candidates = candidates.filter { candidate in
      CandidateList.starts(ignoresCase ? candidate.text.lowercased() : candidate.text, with: start)
        && candidate.text.unicodeScalars.allSatisfy(CandidateList.isPlain)
        && known.insert(ExactString(candidate.text)).inserted
    }
    spread()
  }

  /// Compares code units: a shell inserts what follows the typed ones.
  private static func starts(_ text: String, with start: String) -> Bool {
    text.utf8.starts(with: start.utf8)
  }

  /// Returns false for a character that could control the terminal, or change how a line looks or is
  /// read: control characters, and what `DisplayText` shows as an escape.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }

  /// Leaves out candidates evenly if there are too many. The first and the last in order stay, so
  /// the shell still inserts only what all of them have in common.
  private mutating func spread() {
    guard candidates.count > CandidateList.maxCount else { return }
    let sorted = candidates.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let last = CandidateList.maxCount - 1
    candidates = (0...last).map { sorted[$0 * (sorted.count - 1) / last] }
  }
}
