/// The help of the program, and the form in which the argument parser's texts are shown.
enum HelpText {
  /// The first word of each help page.
  static let heading = "OVERVIEW: "

  /// No line is longer than 78 columns, so that the parser wraps none.
  static let examples = """
    EXAMPLES
      notes-watch contacts                           the list, then its changes
      notes-watch list notes --sort -rating,title    the list once, best first
      notes-watch todos --view today                 a view of .notes-watch.yaml
      notes-watch notes -o jsonl | jq '.changes[]?'  for programs: JSON Lines
      notes-watch notes -- ./publish.sh              run a script for each update
      notes-watch set todos mend-fence done=true     change a field, no other byte
      notes-watch list products --where 'releases.@count > 20 AND category = "os"'

    VIEW (options of watch, list, browse and diff)
      --view NAME             --search TEXT           --fields FIELDS
      --sort FIELDS           --search-fields FIELDS  --limit N
      --section FIELD         --where PREDICATE       --offset N
      --section-order IDS     --id-field FIELD[,FIELD]
    """

  /// Writes placeholders as people read them in the usage lines: DIR instead of `<DIR>`.
  ///
  /// Other texts of the parser, such as completion scripts, stay as they are.
  static func plain(_ text: String) -> String {
    guard text.hasPrefix(heading) || text.hasPrefix("Error: ") else { return text }
    let named = text.replacing("<subcommand>", with: "COMMAND").replacing("\nSUBCOMMANDS:", with: "\nCOMMANDS:")
    let lines = named.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.replacing(/<([A-Z][A-Z.,=\[\] ]*)>( +)?/) { match in
        // In a list of options, the second column stays where it is.
        "\(match.1)\(match.2.map { line.hasPrefix("  ") ? "\($0)  " : "\($0)" } ?? "")"
      }
    }
    return lines.map(bracketingValues).joined(separator: "\n")
  }

  /// Shows in a list of options that a value can be left out: `--prefix[=LABEL]`.
  private static func bracketingValues(_ line: Substring) -> String {
    guard let match = line.prefixMatch(of: #/  (--[a-z-]+) ([A-Z]+)  /#), BareOptions.name(in: String(match.1)) != nil else {
      return String(line)
    }
    return "  \(match.1)[=\(match.2)]" + line[match.range.upperBound...]
  }
}
