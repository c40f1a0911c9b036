#compdef {{program}}

# Offers words, without those in `given`; after one that ends with = there is no space.
_{{identifier}}_words() {
    compadd -F given -- ${@:#*=}
    compadd -F given -S '' -- ${(M)@:#*=}
}

# Offers files behind what matches a pattern.
_{{identifier}}_after() { compset -P "$1" && _files }

# Offers the lines that the program prints.
_{{identifier}}_printed() { _{{identifier}}_words ${(f)"$(command {{program}} "$@" 2> /dev/null < /dev/null)"} }

# Completes the program after --, and its arguments.
_{{identifier}}_program() {
    local -i dashes=${words[(i)--]}
    (( dashes < CURRENT )) || return 1
    shift $dashes words
    (( CURRENT -= dashes ))
    _normal
}

_{{program}}() {
    local curcontext=$curcontext state line
    local -A opt_args
    local -a given
{{arguments}}
}

if [[ $funcstack[1] == _{{program}} ]]; then
    _{{program}} "$@"
else
    compdef _{{program}} {{program}}
fi
