#!/bin/sh
# Draws a session as a picture for the README: examples/session.sh < examples/session.txt > examples/session.svg
# Lines are wrapped at 56 columns, so that the text can be read on a phone; a QR code is drawn with squares.
# The tests run that session, compare what it prints with the text, and the picture with the text.
awk '
function add(text, indent) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    colour = isCommand ? "#ffffff\" font-weight=\"bold" : isMessage ? "#9db4d0" : "#c8d0da"
    y += 20
    drawn = drawn sprintf("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", indent ? 48 : 14, y, colour, text)
}
# A line of a QR code: a character is two squares, the upper and the lower one.
function squares(line, place, end, half) {
    for (half = 0; half < 2; half++)
        for (place = 1; place <= length(line); place = end) {
            for (end = place + 1; end <= length(line) && light(line, end, half) == light(line, place, half); end++) continue
            if (light(line, place, half))
                path = path sprintf("M%d %dh%dv4h-%dz", 10 + place * 4, y + 10 + half * 4, (end - place) * 4, (end - place) * 4)
        }
    y += 8
}
function light(line, place, half) { return index(half ? "FL" : "FU", substr(line, place, 1)) > 0 }
BEGIN { y = 36 }
/█|▀|▄/ {
    gsub(/█/, "F"); gsub(/▀/, "U"); gsub(/▄/, "L")
    squares($0)
    wasCode = 1
    next
}
{
    isCommand = /^\$ / || (isCommand && last ~ /[|\\]$/)
    isMessage = /^oap: /
    last = rest = $0
    # XML joins spaces.
    indent = sub(/^ +/, "", rest) ? 4 : 0
    y += wasCode ? 8 : 0
    wasCode = 0
    # A command that is too long goes on after a backslash, as one can type it.
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
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"500\" height=\"%d\"", y + 28
    printf " viewBox=\"0 0 500 %d\" role=\"img\"", y + 28
    print " aria-label=\"A terminal session with oap\">"
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2229\"/>"
    for (i = 0; i < 3; i++)
        printf "<circle cx=\"%d\" cy=\"20\" r=\"6\" fill=\"%s\"/>\n", 22 + i * 20, i == 0 ? "#e0605a" : i == 1 ? "#e0b050" : "#5fb760"
    print "<g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">"
    printf "%s", drawn
    print "</g>\n<path fill=\"#ffffff\" shape-rendering=\"crispEdges\" d=\"" path "\"/>\n</svg>"
}'
