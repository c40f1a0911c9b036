/// A manual page, from which both the mdoc source and the plain text of the long help are written.
package struct ManualPage: Sendable {
    /// The name, for example `oap-documents`.
    package let name: String
    /// The section of the manual, 1 to 8.
    package let section: Int
    /// What it is about, in one line without a full stop.
    package let summary: String
    /// The date, for example `July 1, 2026`.
    package let date: String
    /// The synopsis, one line each; empty on the pages of sections 5 and 7.
    package let synopsis: [Synopsis]
    /// The sections after NAME and SYNOPSIS.
    package let sections: [ManualSection]

    /// Makes a page; see the properties.
    package init(
        name: String, section: Int, summary: String, date: String, synopsis: [Synopsis] = [],
        sections: [ManualSection]
    ) {
        self.name = name
        self.section = section
        self.summary = summary
        self.date = date
        self.synopsis = synopsis
        self.sections = sections
    }
}

/// A section of a manual page.
package struct ManualSection: Sendable {
    /// The heading, in capitals.
    package let title: String
    /// The blocks of the section.
    package let blocks: [ManualBlock]

    /// Makes a section of blocks.
    package init(_ title: String, _ blocks: [ManualBlock]) {
        self.title = title
        self.blocks = blocks
    }

    /// Makes a section of text in `Markup`.
    package init(_ title: String, text: String) {
        self.init(title, [.text(text)])
    }
}

/// A part of a section.
package indirect enum ManualBlock: Sendable {
    /// Paragraphs in `Markup`.
    case text(String)
    /// Lines that are shown verbatim.
    case literal(String)
    /// A smaller heading.
    case heading(String)
    /// A list of terms, each with its description.
    case list([ManualItem])
}

/// A term of a list and its description.
package struct ManualItem: Sendable {
    /// The term.
    package let term: [Inline]
    /// The description.
    package let blocks: [ManualBlock]

    /// Makes an item whose term and text are in `Markup`.
    package init(_ term: String, _ text: String) {
        self.init(Markup.inlines(term), [.text(text)])
    }

    /// Makes an item of blocks.
    package init(_ term: [Inline], _ blocks: [ManualBlock]) {
        self.term = term.map { if case .literal(let text) = $0 { .keyword(text) } else { $0 } }
        self.blocks = blocks
    }
}

/// One form of a command line.
package struct Synopsis: Sendable {
    /// The program and the command, `oap authurl`.
    package let invocation: String
    /// The options and operands.
    package let parts: [Part]

    /// A part of a synopsis.
    package enum Part: Sendable {
        /// A required part.
        case required([Inline])
        /// An optional part, shown in brackets.
        case optional([Inline])
    }

    /// Makes a synopsis; see the properties.
    package init(_ invocation: String, _ parts: [Part]) {
        self.invocation = invocation
        self.parts = parts
    }
}

/// A page of the manual, as in `oap-exchange(1)`.
package struct ManualReference: Sendable, Hashable {
    /// The name of the page.
    package let name: String
    /// Its section.
    package let section: Int

    /// Makes a reference; see the properties.
    package init(_ name: String, _ section: Int) {
        self.name = name
        self.section = section
    }
}
