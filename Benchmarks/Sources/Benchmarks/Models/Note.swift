import Foundation
import GRDB
import PlainStore

/// The model that both libraries save: 8 fields, about 300 bytes.
struct Note: PlainModel {
  var id: String
  var title: String
  var author: String
  var rating: Int
  var created: Date
  var tags: [String]
  var pinned: Bool
  var contents: String

  /// Returns models that are the same in every run.
  static func generated(_ count: Int) -> [Note] {
    var random = FixedGenerator()
    let words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words[Int.random(in: words.indices, using: &random)] }.joined(separator: " ")
    }
    return (0..<count).map { number in
      Note(
        id: "note-\(number)", title: text(5), author: text(2), rating: .random(in: 1...100, using: &random),
        created: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60),
        tags: [text(1), text(1)], pinned: .random(using: &random), contents: text(30))
    }
  }
}

/// A row of the table `note`. GRDB writes it by the same `Codable` conformance.
extension Note: FetchableRecord, PersistableRecord {}
