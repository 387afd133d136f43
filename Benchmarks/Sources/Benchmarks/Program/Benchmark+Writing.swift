import Glibc

/// Writing many items, and the size of the program.
extension Benchmark {
  static var writing: [Benchmark] {
    [
      Benchmark(name: "`add` of many items from standard input") { setting in
        let count = 5_000
        let lines = "\(setting.folder)/lines"
        let text = ItemGenerator.lines(count)
        guard let file = fopen(lines, "we") else { throw Failure("\(lines) cannot be written.") }
        fwrite(text, 1, text.count, file)
        fclose(file)
        var times: [Duration] = []
        for round in 0...setting.rounds {
          // Each run has a folder of its own: the file system is slow where files were just
          // deleted.
          let folder = "\(setting.folder)/add-\(round)"
          mkdir(folder, 0o777)
          let input = open(lines, O_RDONLY | O_CLOEXEC)
          defer { close(input) }
          let run = try Child([setting.program, "add", folder, "-"], input: input).wait().check()
          if round > 0 { times.append(run.time) }
        }
        return [
          Row("`add` of 5,000 items from standard input", .time(median(times)), atMost: .time(.seconds(2)))
        ]
      }
    ]
  }

  static var sizes: [Benchmark] {
    [
      Benchmark(name: "the stripped release binary", needs: ["strip": "binutils"]) { setting in
        let stripped = "\(setting.folder)/stripped"
        try Child(["strip", "-o", stripped, setting.program]).wait().check()
        var status = stat()
        guard stat(stripped, &status) == 0 else { throw Failure("The stripped program cannot be read.") }
        return [Row("the stripped release binary", .bytes(Int(status.st_size)), atMost: .bytes(30_000_000))]
      }
    ]
  }
}
