internal import CTexts
package import CommandSpec
internal import OAuth
internal import Synchronization

/// The texts of the manual, which only help and manual pages read.
package enum Manual {
    package static let oap = named("oap")
    /// The prose of the members: a section for each kind, with a part for each member.
    package static let members = named("members")
    package static let options = named("options")
    private static let known = Mutex<[String: ManualText]>([:])

    /// The text of a page or of a command, which is read once.
    package static func named(_ name: String) -> ManualText {
        if let text = known.withLock({ $0[name] }) { return text }
        let values = name == "token" ? ["derived-tokens": options["DERIVED TOKENS"]] : [:]
        let text = ManualText(bytes(of: "\(name).md"), values: values)
        known.withLock { $0[name] = text }
        return text
    }

    /// A file that the program brings along besides the prose.
    package static func file(_ name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    private static func bytes(of name: String) -> [UInt8] {
        var length = 0
        guard let bytes = oap_text(name, &length) else {
            preconditionFailure("the program brings along the text \(name)")
        }
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// The variables of `oap(1)` that are not those of an option.
    package static var environment: [Definition] {
        oap.definitions(in: "ENVIRONMENT")
            + Member.all.compactMap { secret in
                secret.variableText.map { Definition(Member.variable(for: secret.name), $0) }
            }
    }
}

/// The prose of `members.md`: what the member is, then perhaps what its option and its variable are for. `§` stands for
/// the source.
extension Member {
    /// What the member is, in `Markup`; empty for a member without effect.
    package var text: String { paragraphs.first.map(naming) ?? "" }

    /// What the member's option does; what the member is, if nothing else is said.
    package var details: String { paragraph("- Option: ") ?? text }

    /// The use of the variable that holds a secret; nil without one.
    package var variableText: String? { paragraph("- Variable: ") }

    private func paragraph(_ mark: String) -> String? {
        paragraphs.first { $0.hasPrefix(mark) }.map { naming(String($0.dropFirst(mark.count))) }
    }

    private var paragraphs: [String] {
        kind == .kept ? [] : Manual.members.paragraphs(under: name, in: kind.rawValue.asciiLowercased)
    }

    private func naming(_ text: String) -> String { source.map { text.replacing("§", with: "(\($0))") } ?? text }
}
