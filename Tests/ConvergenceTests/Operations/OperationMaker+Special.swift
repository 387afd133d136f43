import Glibc
import TestSupport

/// Files that are not items, settings, bursts of files, and a stopped watcher.
extension OperationMaker {
  mutating func special() -> Operation {
    switch random.below(10) {
    case 0, 1: link()
    case 2: pipe()
    case 3: socket()
    case 4: folderLikeAnItem()
    case 5, 6: leaveOut()
    case 7, 8: keepsSettings ? save() : changeSettings()
    default: burstOfFiles()
    }
  }

  private mutating func link() -> Operation {
    let path = item()
    let target: ExactText = random.one(of: ["a.yaml", "nowhere.yaml", ".", "..", "sub"])
    return Operation("symbolic link \(path) to \(target)") { place in
      place.makeFolder(of: path)
      Disk.remove(place.path(path))
      _ = Disk.call(target, place.path(path)) { symlink($0, $1) }
    }
  }

  private mutating func pipe() -> Operation {
    let path = item()
    return Operation("FIFO \(path)") { place in
      place.makeFolder(of: path)
      Disk.remove(place.path(path))
      _ = Disk.call(place.path(path)) { mkfifo($0, 0o600) }
    }
  }

  private mutating func socket() -> Operation {
    let path = item()
    return Operation("socket \(path)") { place in
      place.makeFolder(of: path)
      Disk.remove(place.path(path))
      // Creates a socket as `bind` does, without its limit on the length of a path.
      _ = Disk.call(place.path(path)) { mknod($0, S_IFSOCK | 0o600, 0) }
    }
  }

  private mutating func folderLikeAnItem() -> Operation {
    let path = item()
    return Operation("folder \(path) with an item in it") { place in
      Disk.remove(place.path(path))
      Disk.makeFolders(place.path(path))
      Disk.write([Array("rating: 1\n".utf8)], to: place.path(path) + "/in.yaml")
    }
  }

  private mutating func leaveOut() -> Operation {
    let path = item(), text = text(for: path)
    let (before, after) = random.one(of: [
      (".", ".swp"), ("", "~"), ("#", "#"), (".#", ""), ("", ".tmp"), (".", ""),
    ])
    let isDangling = before == ".#"
    return Operation("\(isDangling ? "dangling link" : "file") \(path.beside(before, after))") { place in
      place.makeFolder(of: path)
      if isDangling {
        _ = Disk.call("user@host.1:1", place.path(path.beside(before))) { symlink($0, $1) }
      } else {
        Disk.write([text], to: place.path(path.beside(before, after)))
      }
    }
  }

  mutating func changeSettings() -> Operation {
    let text = random.one(of: HarnessSettings.all).text
    let broken = random.oneIn(3) ? random.one(of: HarnessSettings.broken) : nil
    let pause = pause(), inPlace = random.oneIn(3), isRemoved = !needsView && random.oneIn(5)
    let what =
      isRemoved
      ? "remove the settings" : "settings \(text.debugDescription) \(inPlace ? "in place" : "by rename")"
    return Operation("\(broken.map { "settings \($0.debugDescription), pause \(pause), " } ?? "")\(what)") {
      place in
      let path = place.path(HarnessSettings.path)
      if let broken {
        Disk.write([Array(broken.utf8)], to: path)
        usleep(pause)
      }
      if isRemoved { return Disk.remove(path) }
      if inPlace { Disk.write([Array(text.utf8)], to: path) }
      Disk.write([Array(text.utf8)], to: place.path(".settings-new"))
      Disk.rename(place.path(".settings-new"), to: path)
    }
  }

  /// Returns an operation in which several processes write files at the same time.
  mutating func burstOfFiles() -> Operation {
    let count = 1 + random.below(burst), processes = 1 + random.below(4), goes = random.oneIn(3)
    let rating = random.below(10)
    return Operation("\(processes) processes write \(count) files each\(goes ? ", and remove them" : "")") {
      place in
      let script = """
        mkdir -p burst; for p in $(seq \(processes)); do (
          i=0; while [ $i -lt \(count) ]; do echo "rating: \(rating)" > burst/$p-$i.yaml; i=$((i+1)); done
          \(goes ? "rm -f burst/$p-*.yaml" : "")
        ) & done; wait
        """
      _ = try? Shell.run(script, in: place.root.description)
    }
  }

  mutating func removeBurst() -> Operation {
    Operation("rm -rf burst") { Disk.remove($0.path("burst")) }
  }

  /// Returns a change of the permissions of a file or a folder, for all but its owner.
  mutating func changePermissions() -> Operation {
    let path = random.oneIn(2) ? item() : folder()
    let mode: mode_t = random.one(of: [0o750, 0o751, 0o755])
    return Operation("chmod \(String(mode, radix: 8)) \(path)") { place in
      guard let kind = Disk.kind(place.path(path)), kind != S_IFLNK else { return }
      _ = Disk.call(place.path(path)) { chmod($0, mode) }
    }
  }

  mutating func disturbWatcher() -> Operation {
    // Until the program handles SIGHUP, the signal would end it.
    if !keepsSettings, random.oneIn(3) { return Operation("SIGHUP") { kill($0.watcher, SIGHUP) } }
    let pause = UInt32(random.below(400_000))
    return Operation("stop the watcher for \(pause / 1_000) ms") { place in
      kill(place.watcher, SIGSTOP)
      usleep(pause)
      kill(place.watcher, SIGCONT)
    }
  }
}
