# fish completion for {{program}}

# Prints the number of values of option $argv[2] of command $argv[1].
function __{{identifier}}_count
    switch "$argv[1] $argv[2]"
{{counts}}
        case '*'
            echo 0
    end
end

# Whether the value of option $argv[2] of command $argv[1] decides what completes the operands.
function __{{identifier}}_decides
    contains -- "$argv"{{deciding}}
end

# Sets __{{identifier}}_found to the command and the operands before the cursor, __{{identifier}}_chosen to the
# value of the option that decides, and __{{identifier}}_ended to whether -- is before the cursor.
function __{{identifier}}_read
    set -l line (commandline -opc)
    test "$__{{identifier}}_line" = "$line"; and return
    set -l words{{command}}
    set -l pending 0
    set -l option
    set -l chosen
    set -l ended no
    for word in $line[2..-1]
        if test $pending -gt 0
            set pending (math $pending - 1)
            __{{identifier}}_decides "$words[1]" $option; and set chosen $word
        else if test $ended = yes; or not string match -qr -- '^-.' $word
            set -a words $word{{ends}}
        else if test $word = --
            set ended yes{{dashes}}
        else if string match -q -- '--*=*' $word
            set -l pair (string split -m 1 = -- $word)
            set option $pair[1]
            set pending (math max 0, (__{{identifier}}_count "$words[1]" $option) - 1)
            __{{identifier}}_decides "$words[1]" $option; and set chosen $pair[2]
        else if string match -q -- '--*' $word
            set option $word
            set pending (__{{identifier}}_count "$words[1]" $option)
        else
            # Joined letters: the first that takes a value ends them.
            set -l letters (string split '' -- $word)[2..-1]
            while set -q letters[1]
                set option -$letters[1]
                set -l count (__{{identifier}}_count "$words[1]" $option)
                set -e letters[1]
                if test $count -gt 0
                    __{{identifier}}_decides "$words[1]" $option; and set chosen (string join '' -- $letters)
                    set pending (math $count - (set -q letters[1]; and echo 1; or echo 0))
                    break
                end
            end
        end
    end
    set -g __{{identifier}}_line "$line"
    set -g __{{identifier}}_found $words
    set -g __{{identifier}}_chosen $chosen
    set -g __{{identifier}}_ended $ended
end

# Whether the command is $argv[1]; without it, whether there is none yet.
function __{{identifier}}_words
    __{{identifier}}_read
    test "$__{{identifier}}_found[1]" = "$argv[1]"
end

# Whether the next word is operand number $argv[2] of command $argv[1], or one from that number on with a +
# behind it.
function __{{identifier}}_operand
    __{{identifier}}_words $argv[1]; or return
    set -l number (string trim -r -c + $argv[2])
    set -l next (count $__{{identifier}}_found)
    test $next -eq $number; or begin
        test $argv[2] != $number; and test $next -gt $number
    end
end

# Prints those of the words that no operand sets already.
function __{{identifier}}_unset
    __{{identifier}}_read
    for word in $argv
        string match -q -- "$word*" $__{{identifier}}_found[2..-1]; or echo $word
    end
end

# Prints the files behind what matches $argv[1] in the value that is typed.
function __{{identifier}}_after
    set -l value (commandline -ct | string replace -r '^(--[^=]*=|-[^-@])' '' | string replace -r '^["\']' '')
    set value (string unescape -- $value); or return
    set -l mark (string match -r -- $argv[1] $value); or return
    set -l start (string replace -r -- $argv[1] '' $value)
    for file in $start*
        test -d $file; and set file $file/
        printf '%s\n' $mark$file
    end
end

# Completes the program that the words from number $argv[1] on are, and its arguments.
function __{{identifier}}_program
    __{{identifier}}_read
    set -q __{{identifier}}_found[$argv[1]]; or not string match -q -- '-*' (commandline -ct); or return
    complete -C (string join ' ' -- (string escape -- $__{{identifier}}_found[$argv[1]..-1]) (commandline -ct))
end
