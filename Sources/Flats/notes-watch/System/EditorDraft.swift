import Files
import Glibc
import SystemPackage

/// A text for an editor, in a new folder that only this user can read.
struct EditorDraft {
  let path: String
  let folder: String

  init(_ text: [UInt8], named name: String) throws(Failure) {
    let parent = Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/notes-watch-XXXXXX".utf8CString)  // mkdtemp(3) replaces the six letters.
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "A folder for the text in \(parent)", .current, act: "created")
    }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(folder)/\(name)"
    do throws(Errno) {
      try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(all: text)
    } catch {
      remove()
      throw Failure(.cannotCreate, "The file \(path)", error, act: "written")
    }
  }

  var keptMessage: String { "The text is kept in \(path)." }

  /// True if the editor keeps files beside the draft, such as vim's swap file.
  var hasOtherFiles: Bool {
    folder.directoryEntries.contains { name in
      // A backup remains after the editor has ended, so it is not a sign of an open editor.
      let isSwapFile =
        name.starts(with: ".".utf8) && name.contains { $0 != UInt8(ascii: ".") }
        && name.suffix(4).starts(with: ".sw".utf8)
      return isSwapFile || name.starts(with: ".#".utf8)
    }
  }

  func removeEmpty() -> Bool { rmdir(folder) == 0 }

  func remove() {
    for name in folder.directoryEntries {
      unlink((Array("\(folder)/".utf8) + name + [0]).map(CChar.init(bitPattern:)))
    }
    rmdir(folder)
  }
}
