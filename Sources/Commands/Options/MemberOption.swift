internal import CommandSpec
internal import OAuth
internal import Wire

/// The option that sets a member of the document: `--client-id` for `"client_id"` (oap-documents(5)).
struct MemberOption: Sendable {
    /// The member that it sets.
    let member: String
    /// The form of the value.
    let form: Member.Form
    /// The option's record.
    let option: Option

    /// The option of a member; nil for one that has none.
    init?(_ record: Member) {
        guard let summary = record.summary else { return nil }
        let name = record.settableName
        member = name
        form = record.secrecy == .file ? .file : record.form
        option = Option(
            Member.optionName(for: member), argument: record.argument ?? form.rawValue,
            isRepeatable: form == .list || form == .scope, form: form == .json ? .json : .text,
            choices: form == .boolean ? ["true", "false"] : record.choices,
            otherwise: record.otherwise, completes: form == .file ? .files : Self.completion(of: record.name),
            variable: record.variable == .none ? nil : Member.variable(for: name),
            section: record.section ?? record.kind.rawValue, summary: summary, details: record.details)
    }

    /// The values that a shell offers for a member that allows others too.
    private static func completion(of name: String) -> Completion {
        switch name {
        case "prompt": .words(["none", "login", "consent", "select_account"])
        case "grant_types": .words(["authorization_code", "refresh_token", "client_credentials"])
        default: .nothing
        }
    }

    /// The value of the member.
    ///
    /// - Throws: exit 2 for a text of another form.
    func value(of texts: [String]) throws(Failure) -> JSON {
        let text = texts.last ?? ""
        switch form {
        case .text, .url, .seconds, .number: return .string(text)
        case .scope: return .string(Self.scope(of: texts) ?? "")
        case .file: return .string(DescriptorPath.isOne(text) ? text : try InputFile.absolute(text))
        case .list: return .array(texts.map { .string($0) })
        case .boolean: return .bool(text == "true")
        case .json:
            guard let value = try? JSON(parsing: text, depth: JSON.maximumDepthOfPart) else {
                throw .usage("\(option.name): the value is not JSON")
            }
            return value
        }
    }
}

extension MemberOption {
    /// The scope of all occurrences of an option, each with one or more scope values; nil without one.
    static func scope(of texts: [String]) -> String? { texts.count > 1 ? Scope.union(of: texts) : texts.last }

    /// A document that is stored, with the options of the command line. The path of a descriptor is not stored.
    ///
    /// - Throws: exit 2 for a value of another form.
    static func merged(
        _ options: [MemberOption], of arguments: Arguments, into members: JSONObject
    ) throws(Failure) -> JSONObject {
        var members = members
        for option in options where arguments.has(option.option) {
            let value = try option.value(of: arguments.values(option.option))
            if option.form == .file {
                // The secret itself would win over the new file.
                let secret = String(option.member.dropLast("_file".count))
                members.remove([secret, "\(secret)_command"])
                if value.string.map({ DescriptorPath.isOne($0) }) == true {
                    members[option.member] = nil
                    continue
                }
            }
            members[option.member] = value
        }
        return members
    }

    /// The members of client and server.
    static let identity = all(where: \.isShared)

    /// The other members of an authorization request.
    static let requestMembers = all { $0.kind == .request }

    /// The members needed to renew or revoke a stored token.
    static let ofRenewal = of("client_secret")

    /// The options of some members, in this order.
    static func of(_ names: String...) -> [MemberOption] { names.compactMap { Member.named($0).flatMap(Self.init) } }

    private static func all(where isMeant: (Member) -> Bool) -> [MemberOption] {
        Member.all.filter(isMeant).compactMap(Self.init)
    }
}
