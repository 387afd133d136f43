import Glibc

/// Compares PlainStore with GRDB: the times of saving the same models, as a Markdown table.
struct SavingTable {
  private var files: [SavingRound] = []
  private var full: [SavingRound] = []
  private var normal: [SavingRound] = []

  /// Measures rounds of each, in turn. One more before them isn't counted.
  ///
  /// - Parameter folder: An existing folder. Each round has a folder of its own, because ext4 is
  ///   slow where files were just deleted.
  static func measured(_ count: Int, rounds: Int, in folder: String) async throws -> SavingTable {
    let notes = Note.generated(count)
    var table = SavingTable()
    for round in 0...rounds {
      Setting.say("round \(round) of \(rounds)")
      let files = try await SavingRound(savingFilesIn: "\(folder)/files-\(round)", notes)
      let full = try await SavingRound(savingRowsIn: "\(folder)/full-\(round).sqlite", .full, notes)
      let normal = try await SavingRound(savingRowsIn: "\(folder)/normal-\(round).sqlite", .normal, notes)
      if round == 0 { continue }
      table.files.append(files)
      table.full.append(full)
      table.normal.append(normal)
    }
    return table
  }

  var markdown: String {
    var lines = [
      "| one save, one transaction | PlainStore | GRDB, `FULL` | ratio | GRDB, `NORMAL` | ratio |",
      "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (name, time) in SavingTable.steps {
      let ours = median(files.map { $0[keyPath: time] })
      let cells = [full, normal].map { rounds in
        let theirs = median(rounds.map { $0[keyPath: time] })
        return "\(Quantity.time(theirs)) | \(Quantity.format(ours / theirs))"
      }
      lines.append("| \(name) | \(Quantity.time(ours)) | \(cells.joined(separator: " | ")) |")
    }
    lines.append(
      "| on the disk when the call returns | yes: `syncfs`, `fsync` of the folder | yes: `fsync` of the log | | not yet | |"
    )
    return lines.joined(separator: "\n")
  }

  private static var steps: [(String, KeyPath<SavingRound, Duration>)] {
    [
      ("insert all", \.insert), ("update all", \.update), ("save all unchanged", \.saveUnchanged),
      ("read all, save each from what was read", \.saveRead), ("delete all", \.delete),
    ]
  }
}
