package import CommandSpec
package import OAuth
package import Wire

/// The option that sets a member of the document: `--client-id` for `"client_id"` (oap-documents(5)).
package struct MemberOption: Sendable {
    /// The member that it sets.
    package let member: String
    package let form: Member.Form
    package let option: Option
    /// What an option without a value sets; nil for one with a value.
    package let flagged: JSON?

    /// The option of a member; nil for one that has none.
    package init?(_ record: Member) {
        guard let summary = record.summary else { return nil }
        let name = record.settableName
        member = name
        form = record.secrecy == .file ? .file : record.form
        flagged = record.flag.map { _ in record.form == .boolean ? .bool(true) : .string(record.choices.first ?? "") }
        if let flag = record.flag {
            option = Option(
                flag, section: record.section ?? record.kind.rawValue, summary: summary, details: record.details)
            return
        }
        option = Option(
            Member.optionName(for: member), argument: record.argument ?? form.rawValue,
            isRepeatable: form == .list || form == .scope, form: form == .json ? .json : .text,
            choices: form == .boolean ? ["true", "false"] : record.choices,
            otherwise: record.otherwise, completes: Self.completion(of: record),
            variable: record.variable == .none ? nil : Member.variable(for: name),
            section: record.section ?? record.kind.rawValue, summary: summary, details: record.details)
    }

    /// The values that a shell offers for a member that allows others too.
    private static func completion(of record: Member) -> Completion {
        switch record.name {
        case "prompt": .words(["none", "login", "consent", "select_account"])
        case "grant_types": .words(["authorization_code", "refresh_token", "client_credentials"])
        default: record.secrecy == .file || record.form == .file ? .files : .nothing
        }
    }
}

extension MemberOption {
    /// The scope of all occurrences of an option, each with one or more scope values; nil without one.
    package static func scope(of texts: [String]) -> String? { texts.count > 1 ? Scope.union(of: texts) : texts.last }

    /// The members of client and server.
    package static let identity = Member.all.filter(\.isOfAllCommands).compactMap(Self.init)

    /// The other members of an authorization request.
    package static let requestMembers = of(Member.request)

    /// The members needed to renew or revoke a stored token.
    package static let ofRenewal = of(ClientCredential.allCases.flatMap(\.members)) + ofIdentity

    /// The secrets of grants that need no page, and what gives assertions.
    package static let ofGrants =
        of("password", "assertion", "subject_token", "actor_token")
        + of("assertion_from", "subject_token_from", "actor_token_from", "client_assertion") + ofIdentity

    /// What gives the client's JWT, and whom an identity is for.
    private static let ofIdentity = of("client_assertion_from", "identity_audience")

    /// What a client authenticates with.
    package static let ofAuthentication = of(Member.ofAuthentication)

    /// The options of some members, in this order.
    package static func of(_ names: String...) -> [MemberOption] { of(names) }

    private static func of(_ names: [String]) -> [MemberOption] {
        names.compactMap { Member.named($0).flatMap(Self.init) }
    }
}
