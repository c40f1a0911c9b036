#!/bin/sh
# Draws the session of README.md as a picture: examples/session.sh < README.md > examples/session.svg
# The tests run that session and compare what it prints with the page, and this picture with the page.
awk '
/^```console$/ { inside = 1; next }
/^```$/ { if (inside) exit }
inside {
    gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;")
    line[++count] = $0
    if (length($0) > width) width = length($0)
}
END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\"", width * 8.5 + 40, count * 20 + 64
    print " aria-label=\"A terminal session with oap\">"
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2229\"/>"
    for (i = 0; i < 3; i++)
        printf "<circle cx=\"%d\" cy=\"20\" r=\"6\" fill=\"%s\"/>\n", 22 + i * 20, i == 0 ? "#e0605a" : i == 1 ? "#e0b050" : "#5fb760"
    print "<g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\" xml:space=\"preserve\">"
    for (i = 1; i <= count; i++) {
        isCommand = line[i] ~ /^\$ / || (wasCommand && line[i - 1] ~ /\\$/)
        wasCommand = isCommand
        printf "<text x=\"20\" y=\"%d\" fill=\"%s\"%s>%s</text>\n", i * 20 + 36, \
            isCommand ? "#ffffff" : line[i] ~ /^oap: / ? "#9db4d0" : "#c8d0da", isCommand ? " font-weight=\"bold\"" : "", line[i]
    }
    print "</g>\n</svg>"
}'
