# fish completion for notes-watch. The program itself knows the words.

function __notes_watch_complete
    set -l words (commandline -opc)[2..-1]
    set -l current (commandline -ct)
    # Without its quotes; an open quote at the start goes, too.
    set -l typed (string unescape -- $current; or string replace -r '^[\'"]' '' -- $current)
    for line in (command notes-watch complete fish -- $words "$typed" 2>/dev/null)
        set -l fields (string split \t -- $line)
        switch $fields[1]
            case word part
                printf '%s\t%s\n' $fields[2] "$fields[3]"
            case dirs
                __fish_complete_directories $current ''
            case files
                __fish_complete_path $current
            case command
                set -l rest (string escape -- $words[(math $fields[2] + 1)..-1])
                complete -C (string join ' ' -- $rest $current)
        end
    end
end

complete -c notes-watch -f -a '(__notes_watch_complete)'
