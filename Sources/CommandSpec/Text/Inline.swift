/// A piece of running text with its markup.
package enum Inline: Sendable, Equatable {
    /// Plain words; spaces between pieces are part of them.
    case text(String)
    case literal(String)
    /// A literal as the term of a list, without quotes.
    case keyword(String)
    /// An option with its dashes.
    case option(String)
    /// The placeholder of a value.
    case argument(String)
    case variable(String)
    /// A file name.
    case path(String)
    /// A page of the manual.
    case reference(ManualReference)
}

/// A page of the manual, as in `oap-exchange(1)`.
package struct ManualReference: Sendable, Hashable {
    package let name: String
    package let section: Int

    package init(_ name: String, _ section: Int) { (self.name, self.section) = (name, section) }
}
