/// All manual pages of the program.
struct Manual {
  private let program: ProgramCommand
  /// The blocks of the pages in `docs`, by their file names.
  private let docs: [String: [MarkdownBlock]]

  /// Makes the manual of a program.
  ///
  /// - Parameter docs: The texts of the pages in `docs`, by their file names.
  init(_ program: ProgramCommand, docs: [String: String]) {
    self.program = program
    self.docs = docs.mapValues(MarkdownParser.blocks)
  }

  private static let program = ManualPage.Name(title: "notes-watch", section: 1)
  private static let settings = ManualPage.Name(title: "notes-watch.yaml", section: 5)
  private static let stream = ManualPage.Name(title: "notes-watch-stream", section: 7)

  /// The Markdown pages that are manual pages, with their sections that are on another one.
  private static let allTopics: [(file: String, name: ManualPage.Name, abstract: String, elsewhere: Set<String>)] = [
    ("stream.md", stream, "The JSON Lines of notes-watch, version 1.", []),
    ("items.md", .init(title: "notes-watch-items", section: 7), "Files as items: formats, ids, order, fields and limits.", ["Settings"]),
    (
      "browse.md", .init(title: "notes-watch-browse", section: 7), "The list on the full screen: its parts, its keys, the use as a filter.",
      []
    ),
    ("predicates.md", .init(title: "notes-watch-predicates", section: 7), "Conditions on items.", ["In Swift"]),
    (
      "daemon.md", .init(title: "notes-watch-daemon", section: 7), "Folders that are always open: service, socket and sinks.",
      [configuration]
    ),
    ("serve.md", .init(title: "notes-watch-serve", section: 7), "The list as a web page: its use, its keys, its safety.", []),
    ("http.md", .init(title: "notes-watch-http", section: 7), "The HTTP interface of notes-watch serve.", []),
    ("scripts.md", .init(title: "notes-watch-scripts", section: 7), "Commands that run for each change of a list.", []),
  ]

  /// The section of the daemon's page that is in notes-watch.yaml(5).
  private static let configuration = "The configuration"

  private var topics: [(file: String, name: ManualPage.Name, abstract: String, elsewhere: Set<String>)] {
    Manual.allTopics.filter { docs[$0.file] != nil }
  }

  private var pageNames: [ManualPage.Name] {
    [Manual.program, Manual.settings] + topics.map(\.name) + program.commands.map(Manual.name)
  }

  private static func name(of command: ProgramCommand) -> ManualPage.Name {
    ManualPage.Name(title: command.path.joined(separator: "-"), section: 1)
  }

  /// Returns the pages and what their links lead to.
  func pages() -> [(page: ManualPage, inline: InlineText)] {
    var pages = [(mainPage(), inline(on: "commands.md")), (settingsPage(), inline(on: "items.md"))]
    for topic in topics {
      guard let blocks = docs[topic.file] else { continue }
      let related = pageNames.filter { $0.section != 1 } + [Manual.program]
      pages.append(
        (
          ManualPage(name: topic.name, abstract: topic.abstract, related: related) { writer in
            writer.topic(blocks.removingSections(topic.elsewhere))
          }, inline(on: topic.file)
        ))
    }
    for command in program.commands {
      let (file, blocks) = description(of: command)
      pages.append((page(of: command, blocks), inline(on: file)))
    }
    return pages
  }

  /// Returns how links on a Markdown page are shown: those to a page of the manual name it.
  private func inline(on file: String) -> InlineText {
    InlineText { target in
      if target.hasPrefix("items.md#settings") { return file == "items.md" ? nil : Manual.settings }
      if target.hasPrefix("daemon.md#the-configuration") { return Manual.settings }
      let linked = target.prefix { $0 != "#" }
      return linked == file ? nil : topics.first { $0.file == linked }?.name
    }
  }

  /// Returns the section of the Markdown pages that describes a command, and its file.
  private func description(of command: ProgramCommand) -> (file: String, blocks: [MarkdownBlock]) {
    let name = command.path.last ?? ""
    let places = ["commands.md", "git.md", "daemon.md"].map { ($0, name) } + [("git.md", name == "git" ? "Drivers" : name)]
    for (file, title) in places {
      if let blocks = docs[file]?.section(title) { return (file, blocks) }
    }
    return ("", [])
  }
}

// MARK: Pages

extension Manual {
  private func mainPage() -> ManualPage {
    ManualPage(name: Manual.program, abstract: program.abstract, related: pageNames) { writer in
      writer.synopsis(program)
      writer.section("DESCRIPTION")
      writer.prose(program.abstract)
      let parts = program.discussionParts
      writer.blocks(parts.texts)
      writer.paragraph("The commands, each with a page of its own:")
      writer.terms(program.commands.map { ("Xr \($0.path.joined(separator: "-")) 1", $0.abstract) })
      writer.options(program)
      let commands = docs["commands.md"] ?? []
      writer.sections(["Options of several commands", "The cache", "Signals"], of: commands)
      writer.sections(["Environment"], of: commands)
      writer.section("EXIT STATUS")
      writer.blocks(commands.section("Exit codes") ?? [])
      writer.examples(parts.examples)
    }
  }

  private func page(of command: ProgramCommand, _ blocks: [MarkdownBlock]) -> ManualPage {
    let related = pageNames.filter { $0.section != 1 } + [Manual.program]
    return ManualPage(name: Manual.name(of: command), abstract: command.abstract, related: related) { writer in
      writer.synopsis(command)
      writer.section("DESCRIPTION")
      let parts = command.discussionParts
      if blocks.isEmpty {
        writer.prose(command.abstract)
        writer.blocks(parts.texts)
      } else {
        writer.blocks(blocks.withoutOptions)
      }
      for (title, lines) in parts.tables {
        writer.subsection(title.prefix(1) + title.dropFirst().lowercased())
        writer.code(lines)
      }
      for child in command.commands { writer.child(child) }
      writer.options(command)
      writer.section("EXIT STATUS")
      writer.line("See")
      writer.line(".Xr notes-watch 1 .")
      writer.examples(parts.examples)
    }
  }

  private func settingsPage() -> ManualPage {
    ManualPage(name: Manual.settings, abstract: "The settings of a folder, and the configuration of the daemon.", related: pageNames) {
      writer in
      writer.section("DESCRIPTION")
      writer.blocks(docs["items.md"]?.section("Settings") ?? [])
      if let rules = docs["merges.md"]?.section("Rules") {
        writer.section("MERGE RULES")
        writer.blocks(rules)
      }
      if let configuration = docs["daemon.md"]?.section(Manual.configuration) {
        writer.section("THE CONFIGURATION OF THE DAEMON")
        writer.blocks(configuration)
      }
    }
  }
}
