internal import CTexts
internal import CommandSpec
internal import OAuth
internal import Synchronization

/// The texts of the manual, which only help and manual pages read.
enum Manual {
    static let oap = named("oap")
    /// The prose of the members: a section for each kind, with a part for each member.
    static let members = named("members")
    static let options = named("options")
    private static let known = Mutex<[String: ManualText]>([:])

    /// The text of a page or of a command, which is read once.
    static func named(_ name: String) -> ManualText {
        if let text = known.withLock({ $0[name] }) { return text }
        let values = name == "token" ? ["derived-tokens": options["DERIVED TOKENS"]] : [:]
        let text = ManualText(bytes(of: "\(name).md"), values: values)
        known.withLock { $0[name] = text }
        return text
    }

    /// A file that the program brings along besides the prose.
    static func file(_ name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    private static func bytes(of name: String) -> [UInt8] {
        var length = 0
        guard let bytes = oap_text(name, &length) else {
            preconditionFailure("the program brings along the text \(name)")
        }
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// The variables of `oap(1)` that are not those of an option.
    static var environment: [Definition] {
        oap.definitions(in: "ENVIRONMENT")
            + Member.all.compactMap { secret in
                secret.variableText.map { Definition(Member.variable(for: secret.name), $0) }
            }
    }
}
