/// Whether a POSIX shell that has read some text is between quotes.
struct QuoteState {
    private let isInProse: Bool
    private var open: Character?
    private var isEscaped = false

    /// In prose, a quote behind a letter is an apostrophe.
    init(isInProse: Bool = false) { self.isInProse = isInProse }

    var isOpen: Bool { open != nil }

    mutating func read(_ text: some StringProtocol) {
        var last: Character = " "
        isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", open != "'" {
                isEscaped = true
            } else if character == open {
                open = nil
            } else if open == nil, character == "'" || character == "\"", !(isInProse && last.isLetter) {
                open = character
            }
            last = character
        }
    }
}
