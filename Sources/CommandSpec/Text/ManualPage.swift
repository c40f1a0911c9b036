/// A manual page, from which both the mdoc source and the plain text of the long help are written.
package struct ManualPage: Sendable {
    /// The name, for example `oap-documents`.
    package let name: String
    /// The section of the manual, 1 to 8.
    package let section: Int
    /// What the page is about, in one line without a full stop.
    package let summary: String
    /// The date, for example `July 1, 2026`.
    package let date: String
    /// The synopsis, one line each; empty on the pages of sections 5 and 7.
    package var synopsis: [Synopsis] = []
    /// The sections after NAME and SYNOPSIS.
    package let sections: [ManualSection]
}

/// One form of a command line.
package struct Synopsis: Sendable {
    /// The program and the command, `oap authurl`.
    package let invocation: String
    /// The options and operands.
    package let parts: [Part]

    package enum Part: Sendable {
        case required([Inline])
        /// An optional part, shown in brackets.
        case optional([Inline])
    }
}

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
