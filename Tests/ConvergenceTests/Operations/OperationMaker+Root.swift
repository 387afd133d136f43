import Glibc
import TestSupport

/// The root is removed, moved away and back, and replaced.
extension OperationMaker {
  mutating func changeRoot() -> Operation {
    let pause = pause()
    let files = (0..<(1 + random.below(10))).map { _ in (item(), text(for: "a.yaml")) }
    switch random.below(6) {
    case 0:
      return Operation("rm -rf the root, pause \(pause), make it again with \(files.count) files") { place in
        Disk.remove(place.root)
        usleep(pause)
        fill(place, files)
      }
    case 1:
      return Operation("move the root away, pause \(pause), and back") { place in
        guard Disk.rename(place.root, to: place.top + "/away") else { return }
        usleep(pause)
        Disk.rename(place.top + "/away", to: place.root)
      }
    case 2:
      return Operation("move the root away, pause \(pause), and make another with \(files.count) files") {
        place in
        Disk.remove(place.top + "/away")
        Disk.rename(place.root, to: place.top + "/away")
        usleep(pause)
        fill(place, files)
      }
    case 3:
      return Operation("replace the root by the one that was moved away before") { place in
        guard Disk.kind(place.top + "/away") == S_IFDIR else { return }
        Disk.rename(place.root, to: place.top + "/away2")
        Disk.rename(place.top + "/away", to: place.root)
        Disk.rename(place.top + "/away2", to: place.top + "/away")
      }
    case 4:
      return Operation("put a link in the place of the root, pause \(pause), and another in its place") {
        place in
        Disk.remove(place.top + "/target")
        guard Disk.rename(place.root, to: place.top + "/target") else { return }
        _ = Disk.call(place.top + "/target", place.root) { symlink($0, $1) }
        usleep(pause)
        Disk.makeFolders(place.top + "/target2")
        for (path, text) in files
        where path.folder.bytes.isEmpty && HarnessText.Format(name: path.name) == .yaml {
          Disk.write([text], to: place.top + "/target2/" + path)
        }
        _ = Disk.call(place.top + "/target2", place.top + "/link") { symlink($0, $1) }
        Disk.rename(place.top + "/link", to: place.root)
      }
    default:
      return Operation("move the folder above the root away, pause \(pause), and back") { place in
        let parent = ExactText(place.root.folder.bytes.dropLast())
        guard parent != place.top, Disk.rename(parent, to: place.top + "/parent-away") else { return }
        usleep(pause)
        Disk.remove(parent)
        Disk.rename(place.top + "/parent-away", to: parent)
      }
    }
  }
}

private func fill(_ place: Workplace, _ files: [(ExactText, [UInt8])]) {
  Disk.makeFolders(place.root)
  for (path, text) in files where HarnessText.Format(name: path.name) == .yaml {
    place.makeFolder(of: path)
    Disk.write([text], to: place.path(path))
  }
}
