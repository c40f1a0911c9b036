/// The layout of messages on a terminal.
package enum MessageLayout {
    /// Breaks a message into lines at its spaces. The lines after the first are indented by two. A command that is to be
    /// copied, of one of these programs, is not broken; if it is too long, it gets a line of its own.
    package static func wrap(_ text: String, width: Int, programs: Set<String>) -> String {
        guard text.count > width else { return text }
        var lines: [String] = []
        var line: String?
        for piece in pieces(of: text.split(separator: " ", omittingEmptySubsequences: false), programs) {
            if let start = line {
                let isFitting = start.count + 1 + piece.count <= width
                if !isFitting { lines.append(start) }
                line = isFitting ? "\(start) \(piece)" : "  \(piece)"
            } else {
                line = piece
            }
        }
        return (lines + [line ?? ""]).joined(separator: "\n")
    }

    /// The words, those of a command in one piece.
    private static func pieces(of words: [Substring], _ programs: Set<String>) -> [String] {
        var pieces: [String] = []
        var rest = words[...]
        while let word = rest.first {
            let count = word.first == "`" ? quotedCount(rest) : commandCount(rest, programs)
            pieces.append(rest.prefix(count).joined(separator: " "))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// The number of words up to a closing backquote; 1 if there is none.
    private static func quotedCount(_ words: ArraySlice<Substring>) -> Int {
        let isClosed = { (index: Int) in words[index].dropFirst(index == words.startIndex ? 1 : 0).contains("`") }
        return words.indices.first(where: isClosed).map { $0 - words.startIndex + 1 } ?? 1
    }

    /// The number of words of the command that begins here, or of the option with its value; 1 if none begins.
    ///
    /// Where a command ends and the sentence goes on is not marked. So it has rather a word too many than one too few: a
    /// program takes three words of letters, an option one. Two words that nothing takes end the command, as a comma does.
    private static func commandCount(_ words: ArraySlice<Substring>, _ programs: Set<String>) -> Int {
        let isProgram = { (word: Substring) in programs.contains(String(word.drop { $0 == "(" })) }
        guard let first = words.first, isProgram(first) || isOption(first) else { return 1 }
        var (count, taken, passed) = (0, 0, 0)
        var quotes = QuoteState(isInProse: true)
        for (index, word) in words.enumerated() {
            let wasQuoted = quotes.isOpen
            quotes.read(word)
            if isProgram(word) {
                taken = 3
            } else if wasQuoted || quotes.isOpen || !isPlain(word) {
                taken = isOption(word) || ["|", "<", ">", ">>"].contains(word) ? 1 : 0
            } else if taken > 0 {
                taken -= 1
            } else {
                passed += 1
                if passed == 2 || isEnd(word) { break }
                continue
            }
            (count, passed) = (index + 1, 0)
            if !quotes.isOpen, isEnd(word) { break }
        }
        return quotes.isOpen ? 1 : count
    }

    private static func isOption(_ word: Substring) -> Bool { word.count > 1 && word.first == "-" }

    /// Whether a word may be one of a sentence: small letters, and a sign at the end.
    private static func isPlain(_ word: Substring) -> Bool {
        (isEnd(word) ? word.dropLast() : word).allSatisfy { ("a"..."z").contains($0) }
    }

    /// Whether a part of the sentence ends with a word.
    private static func isEnd(_ word: Substring) -> Bool { word.last.map { ",;:)".contains($0) } ?? false }
}
