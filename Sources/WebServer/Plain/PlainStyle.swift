/// The style sheet of plain pages.
enum PlainStyle {
  static let text = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    body { margin: 0 auto; max-width: 75rem; padding: 0 1rem 2rem; }
    form, nav ul { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: 0; list-style: none; }
    input, select, button { font: inherit; }
    table { border-collapse: collapse; display: block; max-width: 100%; overflow-x: auto; }
    th, td { border-bottom: 1px solid GrayText; padding: .2rem .6rem; text-align: start; vertical-align: top; }
    td, tbody th { overflow-wrap: anywhere; }
    .number { font-variant-numeric: tabular-nums; text-align: end; }
    .error { color: light-dark(#a40000, #ff9a9a); }
    pre { overflow-x: auto; white-space: pre-wrap; }
    @media print {
      form, nav, header p { display: none; }
      table { display: table; overflow: visible; }
      thead { display: table-header-group; }
      tr { break-inside: avoid; }
      h2 { break-after: avoid; }
      a { color: inherit; text-decoration: none; }
    }

    """
}
