# fish completion for rocsteady: the program itself knows what fits.
function __rocsteady_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':dirs'
                __fish_complete_directories "$current"
            case ':commands'
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c rocsteady -f -k -a '(__rocsteady_complete)'
