import Glibc

/// Recognizes an editor that has returned and is still open, or that opened the file in a window of
/// another process.
///
/// Such an editor writes the draft later. Only its use of the draft shows that, so quitting an
/// editor without a change causes no warning.
struct DetachedEditor {
  private let command: String

  init(command: String) {
    self.command = command
  }

  /// Returns a sentence that says why the editor may still be open; nil if there is no sign of it.
  func sign(on draft: EditorDraft) -> String? {
    if let correction { return "`\(command)` returns at once; \(correction.advice)." }
    if draft.hasOtherFiles { return "It left files beside the text that editors keep while they are open." }
    if DetachedEditor.isInUse(draft) { return "Another process has the text open." }
    return nil
  }

  /// A sentence that says how to call an editor so that it waits.
  var advice: String {
    let example = correction?.example ?? "code --wait"
    return
      "Set EDITOR to a command that waits until the file is closed, such as EDITOR='\(example)' or EDITOR='gvim -f'."
  }

  /// Programs that open a file in a window and return, with the options that make them wait.
  private static let programs: [String: [String]] = [
    "gvim": ["-f", "--nofork"], "gview": ["-f", "--nofork"], "mvim": ["-f", "--nofork"],
    "gvimdiff": ["-f", "--nofork"],
    "code": ["--wait", "-w"], "code-insiders": ["--wait", "-w"], "codium": ["--wait", "-w"],
    "vscodium": ["--wait", "-w"],
    "cursor": ["--wait", "-w"], "windsurf": ["--wait", "-w"], "subl": ["--wait", "-w"],
    "sublime_text": ["--wait", "-w"],
    "atom": ["--wait", "-w"], "pulsar": ["--wait", "-w"], "zed": ["--wait", "-w"],
    "zeditor": ["--wait", "-w"],
    "idea": ["--wait"], "pycharm": ["--wait"], "webstorm": ["--wait"], "goland": ["--wait"],
    "clion": ["--wait"],
    "xdg-open": [],
  ]

  /// How to change the command so that it waits; nil if it has the option, or the program is not
  /// known.
  private var correction: (advice: String, example: String)? {
    let words = command.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "'" && $0 != "\"" } }
    let names = words.map { String($0.split(separator: "/").last ?? "") }
    if names.contains("emacsclient"), words.contains(where: { $0 == "-n" || $0 == "--no-wait" }) {
      return ("call it without -n", "emacsclient")
    }
    guard let options = names.lazy.compactMap({ DetachedEditor.programs[$0] }).first else { return nil }
    guard let option = options.first else { return ("it cannot wait", "code --wait") }
    if words.contains(where: options.contains) { return nil }
    return ("call it with \(option)", "\(command) \(option)")
  }

  /// Returns true if a process has the draft open, works in its folder, or was started with its
  /// path.
  private static func isInUse(_ draft: EditorDraft) -> Bool {
    guard let processes = opendir("/proc") else { return false }
    defer { closedir(processes) }
    while let entry = readdir(processes) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = pid_t(name), process != getpid() else { continue }
      if uses(process, draft) { return true }
    }
    return false
  }

  private static func uses(_ process: pid_t, _ draft: EditorDraft) -> Bool {
    // A process that has ended but was not waited for has no arguments any more.
    if let arguments = try? InputFile.read("/proc/\(process)/cmdline", upTo: 1 << 22),
      contains(arguments, draft.folder)
    {
      return true
    }
    if target(of: "/proc/\(process)/cwd").hasPrefix(draft.folder) { return true }
    guard let files = opendir("/proc/\(process)/fd") else { return false }
    defer { closedir(files) }
    while let entry = readdir(files) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if target(of: "/proc/\(process)/fd/\(name)").hasPrefix(draft.folder) { return true }
    }
    return false
  }

  private static func contains(_ arguments: [UInt8], _ folder: String) -> Bool {
    let wanted = Array(folder.utf8)
    return arguments.split(separator: 0).contains { word in
      word.count >= wanted.count
        && word.indices.dropLast(wanted.count - 1).contains { word[$0...].starts(with: wanted) }
    }
  }

  /// Returns the target of a link; an empty string if it cannot be read.
  private static func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
