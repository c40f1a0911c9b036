functions --copy fish_prompt sandbox_prompt
function fish_prompt; echo -n '{{mark}}'; sandbox_prompt; end
