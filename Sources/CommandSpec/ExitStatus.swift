package struct ExitStatus: Sendable {
    package let code: Int
    /// What it means: lower case, no full stop, in `Markup`.
    package let meaning: String
    /// What to do about it: a sentence without a full stop; empty if nothing.
    package let action: String

    package init(_ code: Int, _ meaning: String, action: String = "") {
        (self.code, self.meaning, self.action) = (code, meaning, action)
    }
}
