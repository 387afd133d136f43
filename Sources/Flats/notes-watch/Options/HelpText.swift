/// The help of the program.
enum HelpText {
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
}
