package struct ManualSection: Sendable {
    package let title: String
    package let blocks: [ManualBlock]

    package init(_ title: String, _ blocks: [ManualBlock]) { (self.title, self.blocks) = (title, blocks) }

    /// Makes a section of text in `Markup`.
    package init(_ title: String, text: String) { self.init(title, [.text(text)]) }
}

package indirect enum ManualBlock: Sendable {
    /// Paragraphs in `Markup`.
    case text(String)
    case literal(String)
    case heading(String)
    case list([ManualItem])
}

package struct ManualItem: Sendable {
    package let term: [Inline]
    package let blocks: [ManualBlock]

    /// Makes an item whose term and text are in `Markup`.
    package init(_ term: String, _ text: String) { self.init(Markup.inlines(term), [.text(text)]) }

    package init(_ term: [Inline], _ blocks: [ManualBlock]) {
        self.term = term.map { if case .literal(let text) = $0 { .keyword(text) } else { $0 } }
        self.blocks = blocks
    }
}
