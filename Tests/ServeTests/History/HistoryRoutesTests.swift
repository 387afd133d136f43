import HTTPTypes
import TestSupport
import Testing
import Values

struct HistoryRoutesTests {
  private static let script = """
    git init -q -b main . && git add -A && git commit -qm first && printf 'name: Ada\\nrating: 2\\n' > ada.yaml \
    && git commit -qam second && git tag v2 && printf 'name: Ada\\nrating: 3\\n' > ada.yaml
    """

  private func served() async throws -> ServedFolder {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\nrating: 1\n", "bob.yaml": "name: Bob\n"])
    _ = try Shell.run(HistoryRoutesTests.script, in: served.folder.path)
    return served
  }

  @Test func `Two revisions are compared as diff compares them`() async throws {
    let served = try await served()
    let answer = try await served.get("/diff?from=HEAD~1&to=v2&sort=name")
    #expect(answer.status == 200)
    #expect(answer.json["hello"]?["to"]?["name"] == "v2")
    let change = answer.json["update"]?["changes"]?.elements?.first
    #expect(change?["id"] == "ada")
    #expect(change?["before"] == ["rating": 1])
    #expect(answer.json["problems"] == [])
    let lines = try await served.get("/diff?from=HEAD~1&to=v2&sort=name", [.accept: "application/jsonl"])
    #expect(lines.text.split(separator: "\n").count == 2)
  }

  @Test func `Without revisions the last commit is compared with the work tree`() async throws {
    let served = try await served()
    let answer = try await served.get("/diff")
    #expect(answer.json["update"]?["changes"]?.elements?.first?["before"] == ["rating": 2])
    #expect(try await served.get("/diff?from=v2&to=HEAD").json["update"] == .null)
  }

  @Test func `The commits of an item have its fields`() async throws {
    let served = try await served()
    let answer = try await served.get("/item/log?id=ada")
    #expect(answer.status == 200)
    #expect(answer.json["commits"]?.elements?.map { $0["subject"] } == ["second", "first"])
    #expect(answer.json["commits"]?.elements?.first?["before"] == ["rating": 1])
    let one = try await served.get("/item/log?id=ada&limit=1")
    #expect(one.json["more"] == true)
    #expect(one.json["commits"]?.elements?.count == 1)
    let lines = try await served.get("/item/log?id=ada", [.accept: "application/jsonl"])
    #expect(lines.text.split(separator: "\n").count == 2)
    #expect(try await served.get("/item/log?id=none").problem == "unknown-item")
  }

  @Test(arguments: ["--output=x", "-x", "", "HEAD%0Ax"])
  func `A name that is not a revision reaches no command`(name: String) async throws {
    let served = try await served()
    #expect(try await served.get("/diff?from=\(name)").status == 400)
    #expect(try await served.get("/diff?to=\(name)").status == 400)
    #expect(try Shell.run("ls", in: served.folder.path) == "ada.yaml\nbob.yaml\n")
  }

  @Test(arguments: [
    ("/diff?from=none", 404), ("/diff?from=a..b&to=c", 400), ("/item/log?id=ada&limit=0", 400),
    ("/item/log?id=ada&limit=x", 400),
  ])
  func `A request that git cannot answer is a problem`(target: String, status: Int) async throws {
    let served = try await served()
    let answer = try await served.get(target)
    #expect(answer.status == status)
    #expect(answer.type == "application/problem+json")
  }

  @Test func `A folder without a repository says so`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n"])
    for target in ["/diff", "/item/log?id=ada"] {
      let answer = try await served.get(target)
      #expect(answer.status == 404)
      #expect(answer.problem == "no-repository")
    }
  }
}
