import Glibc
import TestSupport

/// Files and folders that are created, removed and renamed.
extension OperationMaker {
  mutating func move() -> Operation {
    switch random.below(12) {
    case 0, 1: delete()
    case 2, 3: rename()
    case 4: changeCase()
    case 5: makeTree()
    case 6: moveFolder()
    case 7: moveOut()
    case 8: moveIn()
    case 9: removeFolder()
    case 10: replaceFolder()
    default: random.oneIn(2) ? swap() : exchange()
    }
  }

  private mutating func delete() -> Operation {
    let path = item()
    return Operation("delete \(path)") { Disk.remove($0.path(path)) }
  }

  private mutating func rename() -> Operation {
    let path = item(), other = self.path()
    return Operation("rename \(path) to \(other)") { place in
      place.makeFolder(of: other)
      Disk.rename(place.path(path), to: place.path(other))
    }
  }

  private mutating func changeCase() -> Operation {
    let folder = random.one(of: OperationMaker.folders)
    let names: [ExactText] = random.oneIn(2) ? ["Case.yaml", "case.yaml"] : ["case.yaml", "Case.yaml"]
    return Operation("rename \(folder + names[0]) to \(folder + names[1])") { place in
      Disk.rename(place.path(folder + names[0]), to: place.path(folder + names[1]))
    }
  }

  private mutating func swap() -> Operation {
    let path = item(), other = item()
    return Operation("swap \(path) and \(other)") { place in
      let aside = place.path(path.beside(".aside-"))
      guard Disk.rename(place.path(path), to: aside) else { return }
      Disk.rename(place.path(other), to: place.path(path))
      Disk.rename(aside, to: place.path(other))
    }
  }

  private mutating func exchange() -> Operation {
    let isFolder = random.oneIn(3)
    let path = isFolder ? folder() : item(), other = isFolder ? self.folder() : item()
    return Operation("exchange \(path) and \(other) at once") { place in
      Disk.exchange(place.path(path), place.path(other))
    }
  }

  private mutating func makeTree() -> Operation {
    let path = item()
    let files = (0...random.below(8)).map { number in (ExactText("f\(number).yaml"), text(for: "f.yaml")) }
    let folder = path.folder + ExactText("tree\(random.below(3))/a/b/")
    return Operation("mkdir -p \(folder) with \(files.count) files") { place in
      Disk.makeFolders(place.path(ExactText(folder.bytes.dropLast())))
      for (name, text) in files { Disk.write([text], to: place.path(folder + name)) }
    }
  }

  /// Returns an operation on folders at any depth, which can easily lose watches.
  mutating func moveFolders() -> Operation {
    switch random.below(9) {
    case 0, 1, 2: moveFolder()
    case 3: moveOut()
    case 4, 5: moveIn()
    case 6: removeFolder()
    case 7: replaceFolder()
    default: makeTree()
    }
  }

  private mutating func moveFolder() -> Operation {
    let folder = folder(), other = self.folder()
    return Operation("move folder \(folder) to \(other)") { Disk.rename($0.path(folder), to: $0.path(other)) }
  }

  private mutating func moveOut() -> Operation {
    let folder = folder(), number = random.below(3)
    return Operation("move folder \(folder) out of the root as \(number)") { place in
      let target = place.outside + ExactText("/\(number)")
      Disk.remove(target)
      Disk.rename(place.path(folder), to: target)
    }
  }

  private mutating func moveIn() -> Operation {
    let folder = folder(), number = random.below(3),
      digit = random.oneIn(2) ? UInt8(48 + random.below(10)) : nil
    return Operation(
      "move folder \(number) into the root as \(folder)\(digit == nil ? "" : ", its files changed")"
    ) { place in
      let outside = place.outside + ExactText("/\(number)")
      if let digit {
        for name in Disk.names(in: outside) {
          place.changeDigit(of: outside + "/" + ExactText(name), to: digit)
        }
      }
      Disk.rename(place.outside + ExactText("/\(number)"), to: place.path(folder))
    }
  }

  private mutating func removeFolder() -> Operation {
    let folder = folder()
    return Operation("rm -rf \(folder)") { Disk.remove($0.path(folder)) }
  }

  private mutating func replaceFolder() -> Operation {
    let folder = folder(), inPlace = random.oneIn(2)
    let files = (0...random.below(5)).map { _ in (random.one(of: OperationMaker.names), text(for: "a.yaml")) }
    return Operation(
      "replace folder \(folder) by one with \(files.count) files, \(inPlace ? "made there" : "made elsewhere")"
    ) { place in
      let new = inPlace ? place.path(folder) : place.outside + "/new"
      if inPlace { Disk.remove(new) }
      Disk.makeFolders(new)
      for (name, text) in files where HarnessText.Format(name: name.name) == .yaml {
        Disk.write([text], to: new + "/" + name)
      }
      if inPlace { return }
      Disk.rename(place.path(folder), to: place.outside + "/old")
      Disk.rename(new, to: place.path(folder))
      Disk.remove(place.outside + "/old")
    }
  }
}
