# bash completion for notes-watch. The program itself knows the words.

_notes_watch() {
  local kind text partial= index
  COMPREPLY=()
  while IFS=$'\t' read -r kind text; do
    case $kind in
      word) COMPREPLY+=("$text") ;;
      part) COMPREPLY+=("$text") partial=1 ;;
      dirs)
        # bash quotes names of folders itself, but then it must not quote other words again.
        if [[ ${#COMPREPLY[@]} -eq 0 ]]; then compopt -o dirnames; else compopt -o plusdirs; fi ;;
      files) compopt -o default ;;
      command)
        for ((index = 1; index < COMP_CWORD; index++)); do
          if [[ ${COMP_WORDS[index]} == -- ]]; then break; fi
        done
        if declare -F _command_offset >/dev/null; then
          _command_offset "$((index + 1))"
        elif ((index + 1 == COMP_CWORD)); then
          mapfile -t COMPREPLY < <(compgen -c -- "$2")
        else
          compopt -o default
        fi ;;
    esac
  done <<<"$(command notes-watch complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)"
  if [[ -n $partial && ${#COMPREPLY[@]} -eq 1 ]]; then compopt -o nospace; fi
}

complete -o nosort -F _notes_watch notes-watch
