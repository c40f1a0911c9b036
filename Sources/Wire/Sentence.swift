extension String {
    /// The text with a capital at its beginning and a full stop at its end, for a page. A name of a parameter at its
    /// beginning stays as it is.
    package var asSentence: String {
        let word = prefix { $0 != " " }
        let isName = word.contains { !$0.isLetter }
        let text = isName ? self : prefix(1).uppercased() + dropFirst()
        return text.hasSuffix("…") || text.hasSuffix(".") ? text : text + "."
    }

    /// The text, cut after so many characters.
    package func shortened(to count: Int) -> String { self.count > count ? prefix(count) + "…" : self }
}
