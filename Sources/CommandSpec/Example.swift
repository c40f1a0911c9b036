/// An example of a manual page. The tests run every one against the sandbox, as its page says: it ends with status 0.
package struct Example: Sendable {
    /// What it does, in `Markup`.
    package let text: String
    /// The bash commands, on one or more lines.
    package let command: String
    /// What they print, exactly, without the last line end; nil if it varies or is not shown.
    package let output: String?

    package init(_ text: String, command: String, output: String? = nil) {
        (self.text, self.command, self.output) = (text, command, output)
    }
}
