internal import Members
internal import Wire

extension Document {
    /// Checks that each member is one of a client or its server, with a value of the right form, and that no secret is
    /// given in two ways. Members without a meaning are not checked.
    ///
    /// - Throws: `usage` for an invalid member, and for one of a flow or a token; what ``Endpoint`` throws.
    package func checkClient() throws(OAuthError) {
        for member in members.members.compactMap({ Member.named($0.name) }) { try check(member) }
        for secret in Member.secrets { try checkSecret(secret) }
        for file in Member.files where try string(file)?.isEmpty == true { throw invalid(file, "is empty") }
        _ = try Scope.separator(of: self)
        if members["client_id"]?.isNull == false { _ = try required("client_id") }
        if let uri = try string("redirect_uri") { _ = try blaming(RedirectURI(uri)) }
    }

    private func check(_ member: Member) throws(OAuthError) {
        let name = member.name
        switch member.kind {
        // A login writes it into its profile.
        case .token where name == "grant_type": _ = try string(name)
        case .token:
            throw invalid(name, "belongs to a token, not to a client", hint: "to store a token, use oap store put")
        case .flow, .device, .error: throw invalid(name, "is not a member of a client document")
        case .kept: return
        case .client, .server, .request, .way: break
        }
        guard members[name]?.isNull == false else { return }
        switch member.form {
        case .url where ["documentation", "registration_page"].contains(name): _ = try string(name)
        case .url: _ = try Endpoint(name, in: self)
        case .boolean: _ = try bool(name)
        case .seconds, .number: _ = try wholeSeconds(name)
        case .list: _ = try strings(name)
        case .json: break
        case .text, .file, .scope:
            let text = try string(name) ?? ""
            guard member.choices.isEmpty || member.choices.contains(where: { $0.isIdentical(to: text) }) else {
                throw invalid(name, "must be one of \(member.choices.joined(separator: ", "))")
            }
        }
    }

    /// Checks the ways in which a profile may give a secret: the member, `_file`, or `_command`, a program and its
    /// arguments.
    private func checkSecret(_ name: String) throws(OAuthError) {
        let command = "\(name)_command"
        let given = Member.forms(of: name).filter { members[$0].map { !$0.isNull } ?? false }
        guard given.count <= 1 else { throw invalid(given[1], "cannot be given beside \(given[0])") }
        if try string(name)?.isEmpty == true { throw invalid(name, "is empty") }
        guard given == [command] else { return }
        guard let words = members[command]?.strings, words.first?.isEmpty == false else {
            throw invalid(command, "must be an array of strings: a program and its arguments")
        }
    }
}
