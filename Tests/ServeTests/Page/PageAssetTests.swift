import HTTPTypes
import Store
import TestSupport
import Testing
import Streams

@testable import Serve

@Suite(.timeLimit(.minutes(2))) struct PageAssetTests {
  private let texts = Dictionary(
    uniqueKeysWithValues: PageAsset.all.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })

  /// Returns the paths below `/assets/` to which a file refers: those of the page, and those of imports.
  private func references(of name: String) -> [String] {
    let text = texts[name] ?? ""
    let absolute = text.matches(of: #/"assets\/([^"?#]+)"/#).map { String($0.1) }
    let folder = name.split(separator: "/").dropLast().map(String.init)
    let relative = text.matches(of: #/(?:from|import\() ?"(\.[^"]+)"/#).map { found in
      found.1.split(separator: "/").reduce(into: folder) { path, part in
        if part == ".." { path.removeLast() } else if part != "." { path.append(String(part)) }
      }.joined(separator: "/")
    }
    return absolute + relative
  }

  @Test func `Every file that a file refers to is there`() {
    let found = texts.keys.flatMap { name in references(of: name).map { (name, $0) } }
    #expect(found.count > 30)
    for (name, reference) in found { #expect(texts[reference] != nil, "\(name) refers to \(reference)") }
  }

  @Test func `Every file is used`() {
    let used = Set(texts.keys.flatMap { references(of: $0) } + ["index.html", "plain.css"])
    #expect(Set(texts.keys) == used)
  }

  @Test func `The first list needs less than 25 KB if it is compressed`() {
    var loaded: Set<String> = []
    var waiting = ["index.html"]
    while let name = waiting.popLast() {
      guard loaded.insert(name).inserted else { continue }
      // What is loaded by a call is loaded after the first list.
      let calls = (texts[name] ?? "").matches(of: #/(?:import|style)\("(?:\.\.|assets)\/([^"]+)"\)/#).map {
        String($0.1)
      }
      waiting += references(of: name).filter { !calls.contains($0) }
    }
    let assets = PageAsset.all.filter { loaded.contains($0.name) }
    let size = assets.reduce(0) { $0 + ($1.compressed?.bytes ?? $1.bytes).count }
    #expect(size < 25_000, "\(loaded.sorted())")
    #expect(loaded.count > 10)
    #expect(!loaded.contains { $0.hasPrefix("later") || $0.hasPrefix("detail") })
  }

  @Test func `All files need less than 56.5 KB if they are compressed`() throws {
    #expect(PageAsset.all.reduce(0) { $0 + ($1.compressed ?? ($1.bytes, $1.tag)).bytes.count } < 56_500)
  }

  @Test func `The page names every module of the first list, so that all are loaded at once`() {
    let modules = texts.keys.filter { $0.hasPrefix("list/") }
    #expect(modules.count > 10)
    #expect(Set(modules).subtracting(references(of: "index.html")) == [])
  }

  @Test func `Scripts have no texts of several lines, which the server would change`() {
    let scripts = texts.filter { $0.key.hasSuffix(".js") }
    #expect(scripts.count > 15)
    for (name, text) in scripts {
      let odd = text.split(separator: "\n").filter { line in !line.count { $0 == "`" }.isMultiple(of: 2) }
      #expect(odd == [], "\(name)")
    }
  }

  @Test func `No file interprets text as markup or code`() {
    let forbidden = [
      #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|DOMParser|createContextualFragment|srcdoc/#,
      #/\beval\b|new Function|javascript:/#, #/ style=|"style"|<style|cssText/#, #/\son[a-z]+=/#,
    ]
    for (name, text) in texts {
      for pattern in forbidden { #expect(text.firstMatch(of: pattern) == nil, "\(name)") }
    }
  }

  @Test func `No file names another origin`() {
    for (name, text) in texts {
      let urls = text.matches(of: #/(?:https?:)?\/\/[a-z0-9][a-z0-9.-]*\.[a-z]+/#).map { String($0.0) }
      #expect(urls.filter { $0 != "http://www.w3.org" } == [], "\(name)")
    }
  }

  @Test func `A file has its type, and is sent again only after it changed`() async throws {
    let served = try await ServedFolder(["a.yaml": "n: 1\n"])
    let types = [
      "/": "text/html; charset=utf-8", "/assets/page.css": "text/css; charset=utf-8",
      "/assets/list/main.js": "text/javascript; charset=utf-8", "/assets/icon.svg": "image/svg+xml",
    ]
    for (path, type) in types {
      let answer = try await served.get(path)
      #expect(answer.status == 200)
      #expect(answer.type == type)
      #expect(answer.fields[.cacheControl] == "no-cache")
      #expect(!answer.bytes.isEmpty)
      #expect(try await served.get(path, [.ifNoneMatch: answer.tag]).status == 304)
      #expect(try await served.get(path, [.ifNoneMatch: "\"other\""]).status == 200)
    }
  }

  @Test(.enabled(if: Machine.canRun("gzip --version"), "needs gzip"))
  func `A client that accepts gzip gets the same bytes compressed`() async throws {
    let served = try await ServedFolder(["a.yaml": "n: 1\n"])
    let folder = try TemporaryFolder([:])
    for path in ["/", "/assets/page.css", "/assets/list/list.js"] {
      let plain = try await served.get(path)
      let packed = try await served.get(path, [.acceptEncoding: "br, gzip"])
      #expect(plain.fields[.contentEncoding] == nil)
      #expect(packed.fields[.contentEncoding] == "gzip")
      #expect(packed.type == plain.type)
      #expect(packed.tag != plain.tag)
      for answer in [plain, packed] { #expect(answer.fields[.vary] == "Accept-Encoding") }
      #expect(packed.bytes.count * 3 < plain.bytes.count * 2)
      try folder.write(packed.bytes, to: "packed.gz")
      try folder.shell("gzip -d packed.gz")
      #expect(try folder.bytes(of: "packed") == plain.bytes)
      try folder.shell("rm packed")
      let known: HTTPFields = [.acceptEncoding: "gzip", .ifNoneMatch: packed.tag]
      #expect(try await served.get(path, known).status == 304)
      #expect(try await served.get(path, [.ifNoneMatch: packed.tag]).status == 200)
    }
  }

  @Test func `The list of a page is made while the browser loads it`() async throws {
    let served = try await ServedFolder(["a.yaml": "n: 1\n"])
    let streams = served.context.streams
    var prepared = streams.preparedRequest
    while prepared == nil {
      // On a busy machine it may be gone again before it is seen.
      #expect(try await served.get("/?sort=-n&id=a").status == 200)
      await Task.yield()
      prepared = streams.preparedRequest
    }
    #expect(prepared?.sort == ["-n"])
    #expect(try await served.get("/?where=%3E").status == 200)
    #expect((streams.preparedRequest ?? prepared)?.sort == ["-n"])
  }

  @Test func `The page names the folder and the view of the command line`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    var options = WebOptions()
    options.isReadOnly = true
    let name = #"<b>"a" & 'b'</b>"# + "\u{202E}"
    let base = ViewParameters(name: "x\"y", own: try ViewDefinition(["search": .string("<i>")]))
    let server = WebServer(
      WebContext(path: folder.path, name: name, store: store, base: base, options: options))
    let request = try ServerRequest(
      .init(method: .get, scheme: "http", authority: "a", path: "/?id=a"), body: BytesBody())
    let text = try Answer(await server.respond(to: request)).text
    #expect(
      text.contains("<title>&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;\\u202e · notes-watch</title>"))
    #expect(text.contains("data-folder=\"&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;\u{202E}\""))
    #expect(text.contains(#"data-read-only="true""#))
    #expect(
      text.contains(
        #"data-view="{&quot;search&quot;:&quot;&lt;i&gt;&quot;,&quot;view&quot;:&quot;x\&quot;y&quot;}""#))
    #expect(!text.contains("{{"))
  }
}
