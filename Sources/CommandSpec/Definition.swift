/// A name and its description: an environment variable, a file.
package struct Definition: Sendable {
    /// The name as it is written.
    package let name: String
    /// The text, in `Markup`.
    package let text: String

    /// Makes a record; see the properties.
    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
