internal import CommandSpec
internal import OAuth

/// The prose of `members.md`: what the member is, then perhaps what its option and its variable are for. `§` stands for
/// the source.
extension Member {
    /// What it is, in `Markup`; empty for a member without effect.
    var text: String { paragraphs.first.map(naming) ?? "" }

    /// What its option does; what it is, if nothing else is said.
    var details: String { paragraph("- Option: ") ?? text }

    /// The use of the variable that holds a secret; nil without one.
    var variableText: String? { paragraph("- Variable: ") }

    private func paragraph(_ mark: String) -> String? {
        paragraphs.first { $0.hasPrefix(mark) }.map { naming(String($0.dropFirst(mark.count))) }
    }

    private var paragraphs: [String] {
        kind == .kept ? [] : Manual.members.paragraphs(under: name, in: kind.rawValue.asciiLowercased)
    }

    private func naming(_ text: String) -> String { source.map { text.replacing("§", with: "(\($0))") } ?? text }
}
