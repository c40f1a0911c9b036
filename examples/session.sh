#!/bin/sh
# Draws the session of README.md as a picture: examples/session.sh < README.md > examples/session.svg
# Lines are wrapped at 56 columns, so that the text can be read on a phone.
# The tests run that session and compare what it prints with the page, and this picture with the page.
awk '
function add(text, indent) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    shown[++count] = text
    left[count] = indent ? 48 : 14
    style[count] = isCommand ? "#ffffff\" font-weight=\"bold" : isMessage ? "#9db4d0" : "#c8d0da"
}
/^```console$/ { inside = 1; next }
/^```$/ { if (inside) exit }
inside {
    isCommand = /^\$ / || (isCommand && last ~ /\\$/)
    isMessage = /^oap: /
    last = rest = $0
    indent = 0
    # A command goes on after a backslash, as one can type it.
    while (length(rest) + indent > 56) {
        for (place = (isCommand ? 55 : 57) - indent; place > 4 && substr(rest, place, 1) != " "; place--) continue
        if (place == 4) break
        add(substr(rest, 1, place - 1) (isCommand ? " \\" : ""), indent)
        rest = substr(rest, place + 1)
        indent = 4
    }
    add(rest, indent)
}
END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"500\" height=\"%d\"", count * 20 + 64
    printf " viewBox=\"0 0 500 %d\" role=\"img\"", count * 20 + 64
    print " aria-label=\"A terminal session with oap\">"
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2229\"/>"
    for (i = 0; i < 3; i++)
        printf "<circle cx=\"%d\" cy=\"20\" r=\"6\" fill=\"%s\"/>\n", 22 + i * 20, i == 0 ? "#e0605a" : i == 1 ? "#e0b050" : "#5fb760"
    print "<g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">"
    for (i = 1; i <= count; i++)
        printf "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", left[i], i * 20 + 36, style[i], shown[i]
    print "</g>\n</svg>"
}'
