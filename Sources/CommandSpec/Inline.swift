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
