import Glibc
import TestSupport

/// The root itself goes, comes back, and is another one.
extension OperationMaker {
  mutating func changeRoot() -> Operation {
    let pause = pause()
    let files = (0..<(1 + random.below(10))).map { _ in (item(), text(for: "a.yaml")) }
    switch random.below(5) {
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
      return Operation("move the root away, pause \(pause), and make another with \(files.count) files") { place in
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
  for (path, text) in files where ItemText.Format(name: path.name) == .yaml {
    place.makeFolder(of: path)
    Disk.write([text], to: place.path(path))
  }
}
