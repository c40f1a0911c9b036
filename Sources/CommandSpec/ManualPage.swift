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
