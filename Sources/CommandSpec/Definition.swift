/// A name and its description: an environment variable, a file.
package struct Definition: Sendable {
    package let name: String
    /// The text, in `Markup`.
    package let text: String

    package init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
}
