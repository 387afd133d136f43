import Files
import Store
import TestSupport
import Testing
import Streams

@testable import StateStore

@Suite struct StateLocationTests {
  private static let environment = ["XDG_STATE_HOME": "/state", "HOME": "/home/ada"]

  @Test func `a name is a file in the folder of the root`() throws {
    let root = try TemporaryFolder()
    let location = try StateLocation("site", root: root.path, environment: Self.environment)
    let digest = ContentDigest(of: Array((realPath(root.path) ?? "").utf8)).text
    #expect(location.file == "/state/notes-watch/\(digest)/site.sqlite")
    #expect(location.name == "site")
    #expect(location.folder == "/state/notes-watch/\(digest)")
  }

  @Test func `a link to the root has the same state`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("root")
    try folder.link("link", to: "root")
    let files = try ["root", "link", "root/../link/"].map { name in
      try StateLocation("site", root: "\(folder.path)/\(name)", environment: Self.environment).file
    }
    #expect(Set(files).count == 1, "\(files)")
  }

  @Test func `a relative or missing XDG_STATE_HOME is ignored`() throws {
    for environment in [
      ["XDG_STATE_HOME": "state", "HOME": "/home/ada"], ["XDG_STATE_HOME": "", "HOME": "/home/ada"],
      ["HOME": "/home/ada"],
    ] {
      let location = try StateLocation("site", root: "/", environment: environment)
      #expect(location.file.hasPrefix("/home/ada/.local/state/notes-watch/"), "\(location.file)")
    }
  }

  @Test func `a name needs a folder`() {
    #expect { try StateLocation("site", root: "/", environment: ["HOME": "home"]) } throws: {
      ($0 as? StateError)?.code == .noHome
    }
  }

  @Test(arguments: ["", ".", "..", "a b", "a\0", "ä", "a:b", "a\n", String(repeating: "a", count: 65)])
  func `something else is not a name`(text: String) {
    #expect { try StateLocation(text, root: "/", environment: Self.environment) } throws: { error in
      let error = error as? StateError
      return error?.code == .badName && error?.message.contains("is not a name") == true
    }
  }

  @Test(arguments: ["a", "...", "-", "A.b_c-9", String(repeating: "a", count: 64)])
  func `letters, digits, dots, lines and dashes are a name`(text: String) throws {
    #expect(
      try StateLocation(text, root: "/", environment: Self.environment).file.hasSuffix("/\(text).sqlite"))
  }

  @Test func `text with a slash is a file`() throws {
    #expect(try StateLocation("/a/b.db", root: "/", environment: [:]).file == "/a/b.db")
    #expect(try StateLocation("/b.db", root: "/", environment: [:]).folder == "/")
    let here = try #require(realPath("."))
    #expect(try StateLocation("./b", root: "/", environment: [:]).file == "\(here)/./b")
  }

  @Test(arguments: ["/", "a/", "./a\0b"])
  func `a folder is not a file`(text: String) {
    #expect { try StateLocation(text, root: "/", environment: [:]) } throws: {
      ($0 as? StateError)?.code == .badName
    }
  }
}
