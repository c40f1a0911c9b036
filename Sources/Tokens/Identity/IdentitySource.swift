internal import OAuth
package import Shell
internal import Wire

/// Where an assertion is fetched from for each request (`subject_token_from`, `assertion_from`, `client_assertion_from`).
package enum IdentitySource: Equatable, Sendable {
    /// The platform of the job; nil for the one that the variables name.
    case platform(IdentityPlatform?)
    case variable(String)
    /// Signed with the key of the client.
    case key
    /// The token of a login.
    case login(String)

    /// Takes `ci`, `ci:PLATFORM`, `env:NAME`, `key` or `profile:NAME`.
    ///
    /// - Throws: exit 3 for anything else.
    init(_ text: String, of member: String) throws(Failure) {
        let (kind, name) = text.cut(at: ":") ?? (text, "")
        switch (String(kind), String(name)) {
        case ("ci", "") where text == "ci": self = .platform(nil)
        case ("ci", let name):
            guard let platform = IdentityPlatform(rawValue: name) else {
                throw Self.unknown(name.shownName)
            }
            self = .platform(platform)
        case ("env", let name) where Self.isVariable(name): self = .variable(name)
        case ("key", "") where text == "key": self = .key
        case ("profile", let name) where !name.isEmpty: self = .login(name)
        default:
            let file = "a file has the member \"\(Member.secret(of: member))_file\""
            throw Failure(
                .badInput, .usage,
                "\(member) must be ci, ci:PLATFORM, env:NAME, key or profile:NAME",
                hint: IdentityPlatform(rawValue: text) == nil ? file : "\(Member.option(for: member)) ci:\(text)")
        }
    }

    /// The platform of an option.
    ///
    /// - Throws: exit 2 for an unknown one.
    package static func platform(named name: String) throws(Failure) -> IdentityPlatform {
        guard let platform = IdentityPlatform(rawValue: name) else {
            throw changing(unknown(name.shownName)) { $0.exit = .usage }
        }
        return platform
    }

    private static func unknown(_ name: String) -> Failure {
        let names = IdentityPlatform.allCases.map(\.rawValue).joined(separator: ", ", last: " and ")
        return Failure(.badInput, .usage, "unknown platform \(name)", hint: "the platforms are \(names)")
    }

    package static func isVariable(_ name: String) -> Bool {
        name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }
}
