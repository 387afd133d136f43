import Glibc
import TestSupport

/// The ways in which programs save a file.
extension OperationMaker {
  mutating func save() -> Operation {
    switch random.below(15) {
    case 0, 1: writeInPlace()
    case 2: writeInHalves()
    case 3, 4: replaceByRename()
    case 5: publishByLink()
    case 6: publishUnnamed()
    case 7, 8: backUpAndWrite()
    case 9: appendHeldOpen()
    case 10: touch()
    case 11: writeTheSame()
    case 12: breakFile()
    case 13: mapAndWrite()
    default: keepTimes()
    }
  }

  private mutating func writeInPlace() -> Operation {
    let path = item(), text = text(for: path)
    return Operation("write \(path) in place", saved: (path, 1)) { place in
      place.makeFolder(of: path)
      Disk.write([text], to: place.path(path))
    }
  }

  private mutating func writeInHalves() -> Operation {
    let path = item(), text = text(for: path), pauses = [pause(), pause()]
    let cut = random.below(text.count)
    return Operation(
      "truncate \(path), write it to \(cut), pause \(pauses), write the rest", saved: (path, 2)
    ) { place in
      place.makeFolder(of: path)
      Disk.write([[], Array(text[..<cut]), Array(text[cut...])], to: place.path(path), pause: pauses[0])
    }
  }

  private mutating func replaceByRename() -> Operation {
    let path = item(), text = text(for: path), pause = pause()
    let (before, after) = random.one(of: [(".", ".tmp"), ("", "~"), ("", "___jb_tmp___"), ("sed", "")])
    let temporary =
      before == "sed" ? path.folder + ExactText("sed\(random.below(1_000_000))") : path.beside(before, after)
    return Operation("write \(temporary), pause \(pause), rename it to \(path)", saved: (path, 1)) { place in
      place.makeFolder(of: path)
      // An editor reports a name that is too long, and does not save.
      guard Disk.write([text], to: place.path(temporary)) else { return }
      if pause > 0 { usleep(pause) }
      if !Disk.rename(place.path(temporary), to: place.path(path)) { Disk.remove(place.path(temporary)) }
    }
  }

  private mutating func publishByLink() -> Operation {
    let path = item(), text = text(for: path), number = random.below(1_000_000)
    return Operation("link a hidden file to \(path) where there is none", saved: (path, 1)) { place in
      place.makeFolder(of: path)
      let temporary = place.path(ExactText(".link-\(number)"))
      Disk.write([text], to: temporary)
      _ = Disk.call(temporary, place.path(path)) { link($0, $1) }
      Disk.remove(temporary)
    }
  }

  private mutating func publishUnnamed() -> Operation {
    let path = item(), text = text(for: path)
    return Operation("O_TMPFILE, then linkat to \(path) where there is none", saved: (path, 1)) { place in
      place.makeFolder(of: path)
      let folder = place.root + "/" + path.folder
      // O_TMPFILE, which Swift's Glibc lacks
      let file = Disk.call(folder) { open($0, O_WRONLY | O_CLOEXEC | 0o20_200_000, 0o644) }
      if file < 0 { return }
      _ = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      _ = Disk.call(ExactText("/proc/self/fd/\(file)"), place.path(path)) {
        linkat(AT_FDCWD, $0, AT_FDCWD, $1, AT_SYMLINK_FOLLOW)
      }
      close(file)
    }
  }

  /// Saves as vim does with `backupcopy=no`.
  private mutating func backUpAndWrite() -> Operation {
    let path = item(), text = text(for: path), keeps = random.oneIn(2)
    return Operation(
      "rename \(path) to its backup, write it, \(keeps ? "keep" : "remove") the backup", saved: (path, 1)
    ) { place in
      place.makeFolder(of: path)
      let backup = place.path(path.beside("", "~"))
      // An editor saves only a regular file.
      guard Disk.kind(place.path(path)) == S_IFREG, Disk.rename(place.path(path), to: backup) else { return }
      if !Disk.write([text], to: place.path(path), O_CREAT | O_EXCL) {
        Disk.rename(backup, to: place.path(path))
      }
      if !keeps { Disk.remove(backup) }
    }
  }

  private mutating func appendHeldOpen() -> Operation {
    let path = item(), pause = pause()
    let lines = (0...random.below(2)).map { _ in
      Array("extra\(random.below(1_000)): \(random.below(10))\n".utf8)
    }
    return Operation("append \(lines.count) lines to \(path), \(pause) apart", saved: (path, lines.count)) {
      place in
      if HarnessText.Format(name: path.name) == .json { return }
      Disk.write(lines, to: place.path(path), O_APPEND, pause: pause)
    }
  }

  private mutating func touch() -> Operation {
    let path = item()
    return Operation("touch \(path)", saved: (path, 0)) { place in
      _ = Disk.call(place.path(path)) { utimensat(AT_FDCWD, $0, nil, AT_SYMLINK_NOFOLLOW) }
    }
  }

  private mutating func writeTheSame() -> Operation {
    let path = item(), inPlace = random.oneIn(2)
    return Operation("save \(path) as it is, \(inPlace ? "in place" : "by rename")", saved: (path, 0)) {
      place in
      guard Disk.kind(place.path(path)) == S_IFREG, let text = Disk.read(place.path(path)) else { return }
      if inPlace {
        Disk.write([text], to: place.path(path), 0)
      } else {
        let temporary = place.path(path.beside(".same-"))
        Disk.write([text], to: temporary)
        Disk.rename(temporary, to: place.path(path))
      }
    }
  }

  private mutating func breakFile() -> Operation {
    let path = item()
    let text =
      random.oneIn(4) ? [] : random.one(of: HarnessText.broken.sorted { $0.lexicographicallyPrecedes($1) })
    return Operation("break \(path)", saved: (path, 0)) { place in
      place.makeFolder(of: path)
      Disk.write([text], to: place.path(path))
    }
  }

  /// Changes a digit through a mapping. The kernel reports no write, only the close.
  private mutating func mapAndWrite() -> Operation {
    let path = item(), digit = UInt8(48 + random.below(10))
    return Operation("write \(path) through a mapping", saved: (path, 1)) { place in
      let file = Disk.call(place.path(path)) { open($0, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
      if file < 0 { return }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
        let bytes = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
        bytes != MAP_FAILED
      else { return }
      let text = UnsafeMutableRawBufferPointer(start: bytes, count: Int(status.st_size))
      if let place = text.indices.dropFirst(2).first(where: {
        (48...57).contains(text[$0]) && text[$0 - 1] == 32 && text[$0 - 2] == 58
      }) {
        text[place] = digit
      }
      munmap(bytes, Int(status.st_size))
    }
  }

  /// Changes a digit and restores the times, so that neither the size nor the modification time
  /// shows the change.
  private mutating func keepTimes() -> Operation {
    let path = item(), digit = UInt8(48 + random.below(10))
    return Operation("change a digit of \(path) and keep its times", saved: (path, 1)) {
      $0.changeDigit(of: $0.path(path), to: digit)
    }
  }
}
