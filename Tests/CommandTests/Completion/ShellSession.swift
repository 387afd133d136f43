import TestSupport
import Testing

/// A shell on a terminal, with the completions of the program for the command `show`, which prints
/// its arguments. So a test sees what the shell makes of the words that were completed.
struct ShellSession {
  enum Shell: String, CaseIterable {
    case bash, zsh
  }

  let shell: Shell
  private let folder: TemporaryFolder

  /// - Parameter folder: The folder in which the shell runs.
  init(_ shell: Shell, in folder: TemporaryFolder) throws {
    self.shell = shell
    self.folder = folder
    let scripts = "\(BuiltProgram.samples)/../completions"
    let show = "show() { printf '\\001%s\\002' \"$@\"; printf '\\n'; }"
    try folder.shell("mkdir -p .bin; ln -sf '\(BuiltProgram.path)' .bin/notes-watch")
    switch shell {
    case .bash:
      try folder.write(
        """
        PS1='$ '; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; unset HISTFILE
        source '\(scripts)/notes-watch.bash'
        \(show)
        complete -F _notes_watch show
        """, to: ".bashrc")
    case .zsh:
      try folder.write(
        """
        PS1='$ '; unset zle_bracketed_paste; bindkey -e
        fpath=('\(scripts)' $fpath); autoload -U compinit; compinit -u -D
        \(show)
        compdef _notes-watch show
        """, to: ".zshrc")
    }
  }

  /// Types lines and returns the arguments that `show` had for each of them.
  ///
  /// - Parameter lines: Each is typed as it is, so that a tab completes a word.
  func arguments(_ lines: [String]) throws -> [[String]] {
    try folder.write(lines.map { "\($0)\n" }.joined() + "exit\n", to: ".typed")
    let command = shell == .bash ? "bash --noprofile --rcfile .bashrc -i" : "zsh -d -i"
    let output = try folder.shell(
      "export PATH=\"$PWD/.bin:$PATH\" ZDOTDIR=\"$PWD\" TERM=xterm LC_ALL=C.UTF-8 XDG_CACHE_HOME=\"$PWD/.cache\"; "
        + "script -qec '\(command)' /dev/null < .typed")
    return output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("\u{1}") }.map { line in
      line.matches(of: /\x01(.*?)\x02/).map { String($0.output.1) }
    }
  }
}
