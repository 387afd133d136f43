/// A manual page: its name, its one-line description and its source after the title.
struct ManualPage {
  /// The title of a page, with the section of the manual.
  struct Name: Hashable, Comparable {
    let title: String
    let section: Int

    /// The name of its file: `notes-watch-list.1`.
    var file: String { "\(title).\(section)" }

    /// Orders names as the section SEE ALSO lists them.
    static func < (a: Name, b: Name) -> Bool { (a.section, a.title) < (b.section, b.title) }
  }

  let name: Name
  /// The description in one line.
  let abstract: String
  /// The pages that SEE ALSO lists, apart from this one.
  let related: [Name]
  /// Writes everything between NAME and SEE ALSO.
  let write: (inout MdocWriter) -> Void

  /// Returns the complete source.
  ///
  /// - Parameter date: The date of the page: `November 22, 2026`.
  func source(date: String, _ inline: InlineText) -> String {
    var writer = MdocWriter(inline)
    writer.line(".\\\" Made from the program's help and the pages in docs by `make man`. Do not edit it.")
    writer.line(".Dd \(date)")
    writer.line(".Dt \(name.title.uppercased()) \(name.section)")
    writer.line(".Os")
    writer.section("NAME")
    writer.line(".Nm \(name.title)")
    writer.line(".Nd \(inline.source(abstract.asDescription))")
    write(&writer)
    writer.section("SEE ALSO")
    let others = Set(related).subtracting([name]).sorted()
    for (index, other) in others.enumerated() {
      writer.line(".Xr \(other.title) \(other.section)\(index + 1 < others.count ? " ," : "")")
    }
    return writer.text
  }
}

extension String {
  /// This sentence as a description after a name: with a small first letter and without a full stop.
  fileprivate var asDescription: String {
    let text = hasSuffix(".") ? String(dropLast()) : self
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
