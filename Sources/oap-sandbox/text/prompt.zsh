{{restore}}
if [[ -o interactive ]]; then
    _oap_sandbox_prompt() {
        emulate -L zsh
        [[ $PROMPT == '{{mark}}'* ]] || PROMPT='{{mark}}'$PROMPT
        # A function that comes later can set the prompt. This one comes last from the next prompt on, and runs
        # again behind the functions of this prompt.
        if [[ $precmd_functions[-1] != _oap_sandbox_prompt ]]; then
            precmd_functions=(${precmd_functions:#_oap_sandbox_prompt} _oap_sandbox_prompt)
            sched +0 _oap_sandbox_prompt 2> /dev/null
        fi
    }
    typeset -ga precmd_functions
    precmd_functions+=(_oap_sandbox_prompt)
fi
if [[ -f ${ZDOTDIR-$HOME}/.zshenv && -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    source "${ZDOTDIR-$HOME}/.zshenv"
fi
