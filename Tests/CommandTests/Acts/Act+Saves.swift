/// Saves of `a.yaml` that change its `rating`.
extension Act {
  /// By what every Debian has.
  static let saves = [
    Act(name: "a redirect", script: "echo 'rating: 9' > a.yaml"),
    Act(name: "an append", script: "echo 'more: 9' >> a.yaml"),
    Act(
      name: "a redirect in two parts",
      script: "exec 3> a.yaml; echo 'rating: 9' >&3; echo 'more: 9' >&3; exec 3>&-"),
    Act(name: "`tee`", script: "echo 'rating: 9' | tee a.yaml > /dev/null"),
    Act(name: "`dd conv=notrunc`", script: "printf 'rating: 9' | dd of=a.yaml conv=notrunc 2> /dev/null"),
    Act(name: "`sed -i`", script: "sed -i s/5/9/ a.yaml"),
    Act(name: "`sed -i.bak`", script: "sed -i.bak s/5/9/ a.yaml"),
    Act(name: "`perl -pi`", script: "perl -pi -e s/5/9/ a.yaml"),
    Act(name: "`cp` over it", before: other, script: "cp .other a.yaml"),
    Act(name: "`cp --remove-destination`", before: other, script: "cp --remove-destination .other a.yaml"),
    Act(name: "`cp --backup`", before: other, script: "cp --backup .other a.yaml"),
    Act(name: "`mv` over it", before: other, script: "mv .other a.yaml"),
    Act(name: "`install`", before: other, script: "install -m 644 .other a.yaml"),
    Act(name: "`ln -f`", before: other, script: "ln -f .other a.yaml"),
    Act(name: "`rm`, then a redirect", script: "rm a.yaml; echo 'rating: 9' > a.yaml"),
    Act(
      name: "emptied, then written after 0.1 s", script: ": > a.yaml; sleep 0.1; echo 'rating: 9' > a.yaml"),
    Act(
      name: "a safe write by JetBrains",
      script:
        "echo 'rating: 9' > a.yaml___jb_tmp___; mv a.yaml a.yaml___jb_old___; mv a.yaml___jb_tmp___ a.yaml; rm a.yaml___jb_old___"
    ),
    Act(
      name: "a save by VS Code (truncate, write)",
      script: "exec 3<> a.yaml; : > a.yaml; echo 'rating: 9' >&3; exec 3>&-"),
    Act(
      name: "a save by GNOME (temporary file, backup, rename)",
      script:
        "echo 'rating: 9' > .goutputstream-ABC123; ln -f a.yaml a.yaml~; mv .goutputstream-ABC123 a.yaml"),
    Act(
      name: "a save by KDE and Qt (temporary file, rename)",
      script: "echo 'rating: 9' > a.yaml.ABC123; mv a.yaml.ABC123 a.yaml"),
    Act(name: "an append held open", script: "exec 3>> a.yaml; echo 'more: 9' >&3; sleep 0.1; exec 3>&-"),
  ]

  static let vim = ["no", "yes", "auto"].flatMap { copy in
    ["writebackup", "nowritebackup", "backup"].map { backup in
      Act(
        name: "vim, `backupcopy=\(copy) \(backup)`",
        script:
          "vim -es -u NONE -c 'set backupskip= backupdir=. directory=. swapfile backupcopy=\(copy) \(backup)' -c '%s/5/9/' -c 'wq!' a.yaml"
      )
    }
  }

  static let nano = [("", "nano"), ("-B", "nano, `set backup`")].map { option, name in
    Act(
      name: name,
      // Sends each key after the screen asks for it.
      script: """
        asks() { until grep -q "$1" .screen; do sleep 0.02; done; }; : > .screen
        { asks 'GNU nano'; printf 'more: 9\\r\\017'; asks 'to Write'; printf '\\r'; asks Wrote; printf '\\030'; } |
        TERM=xterm script -qfec 'nano -I \(option) a.yaml' .screen > /dev/null
        """)
  }

  static let emacs = [
    ("", "emacs"), ("(setq backup-by-copying t)", "emacs, `backup-by-copying`"),
    ("(setq make-backup-files nil)", "emacs, no backups"),
    ("(setq file-precious-flag t)", "emacs, `file-precious-flag`"),
  ].map { setting, name in
    Act(
      name: name,
      script:
        "emacs -Q --batch --eval '(progn \(setting))' a.yaml --eval '(progn (goto-char (point-max)) (insert \"more: 9\\n\") (save-buffer))'"
    )
  }

  static let rsync = [
    Act(name: "`rsync`", before: longer, script: "rsync .other a.yaml"),
    Act(name: "`rsync --inplace`", before: longer, script: "rsync --inplace .other a.yaml"),
    Act(name: "`rsync --backup`", before: longer, script: "rsync --backup .other a.yaml"),
  ]

  static let python = [
    Act(
      name: "`O_TMPFILE` and `linkat`, then `rename`",
      script: python(
        """
        fd = os.open(".", os.O_TMPFILE | os.O_WRONLY); os.write(fd, b"rating: 9\\n")
        os.link("/proc/self/fd/%d" % fd, ".new", src_dir_fd=0, follow_symlinks=True); os.rename(".new", "a.yaml")
        """)),
    Act(
      name: "`O_TMPFILE` and `linkat`, a new item",
      script: python(
        """
        fd = os.open(".", os.O_TMPFILE | os.O_WRONLY); os.write(fd, b"rating: 9\\n")
        os.link("/proc/self/fd/%d" % fd, "b.yaml", src_dir_fd=0, follow_symlinks=True)
        """), lines: ["files: 1 insert"]),
    Act(
      name: "`mmap`, then `close`",
      script: python(
        """
        f = open("a.yaml", "r+b"); m = mmap.mmap(f.fileno(), 0); m[8:9] = b"9"; m.flush(); m.close(); f.close()
        """)),
    Act(
      name: "`fsync` between two writes",
      script: python(
        """
        f = open("a.yaml", "wb", 0); f.write(b"rating: 9\\n"); os.fsync(f.fileno()); f.write(b"more: 9\\n"); os.fsync(f.fileno()); f.close()
        """)),
  ]

  static let nothings = [
    Act(name: "`touch`", script: "touch a.yaml", lines: []),
    Act(name: "`chmod`", script: "chmod 600 a.yaml", lines: []),
    Act(name: "the same content, in place", script: "cat a.yaml > .same; cat .same > a.yaml", lines: []),
    Act(name: "the same content, by `mv`", script: "cat a.yaml > .same; mv .same a.yaml", lines: []),
    Act(
      name: "the same values in another form", script: "printf '# by hand\\nrating:   5\\n' > a.yaml",
      lines: []),
    Act(name: "`mv` away and back", script: "mv a.yaml b.yaml; mv b.yaml a.yaml", lines: []),
    Act(
      name: "hidden files, backups, other files",
      script: "echo x > .b.yaml; echo x > a.yaml~; echo x > 4913; echo x > b.txt; rm 4913",
      lines: []),
  ]

  static let files = [
    Act(name: "a new file", script: "echo 'rating: 9' > b.yaml", lines: ["files: 1 insert"]),
    Act(name: "`ln`", script: "ln a.yaml b.yaml", lines: ["files: 1 insert"]),
    Act(name: "`rm`", script: "rm a.yaml", lines: ["files: 1 delete"]),
    Act(name: "`mv` to another name", script: "mv a.yaml b.yaml", lines: ["files: 1 delete, 1 insert"]),
    Act(
      name: "`mv` of a folder of 60", before: sixty, script: "mv d e", lines: ["files: 60 delete, 60 insert"]),
    Act(
      name: "`mv` of a folder of 60 out of it", root: "r", before: "mkdir r; cd r; \(sixty); cd ..",
      script: "mv r/d .",
      lines: ["files: 60 delete"]),
    Act(name: "`rm -r` of a folder of 60", before: sixty, script: "rm -r d", lines: ["files: 60 delete"]),
    Act(
      name: "two files that change names", before: "echo 'rating: 9' > b.yaml",
      script: "mv a.yaml t; mv b.yaml a.yaml; mv t b.yaml",
      lines: ["files: 2 update"]),
    Act(name: "broken by an editor", script: "echo 'rating: [' > a.yaml", lines: ["problem: a.yaml"]),
  ]

  private static let other = "echo 'rating: 9' > .other"
  /// rsync skips a file with the same size and the same second, so this text is longer.
  private static let longer = "echo 'rating: 99' > .other"
  private static let sixty = "mkdir d; for i in $(seq 10 69); do echo \"n: $i\" > d/$i.yaml; done"

  private static func python(_ lines: String) -> String { "python3 -c 'import mmap, os\n\(lines)'" }
}
