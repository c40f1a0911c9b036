package import OAuth
package import Wire
package import Shell

extension Input {
    /// The members that a profile adds: none to the document of another client or server, and no secret if an option or a
    /// variable names another client.
    package static func members(
        of profile: JSONObject, for members: JSONObject, in document: Document, warnings: inout [OAuthWarning]
    ) -> [JSONObject.Member] {
        if let name = difference(of: profile, from: members) {
            warnings.append(.other("the profile is not used: its \(name) is not the token's"))
            return []
        }
        if difference(of: profile, from: document.members, in: ["issuer"]) != nil {
            warnings.append(.other("the profile is not used: it has another issuer than the document"))
            return []
        }
        if document.origin(of: "issuer") == .environment, profile["issuer"]?.isNull ?? true, profile.namesServer {
            let variable = Member.variable(for: "issuer")
            let reason = "\(variable) is set, and the profile names its server without an issuer"
            warnings.append(.other("the profile is not used: \(reason)"))
            return []
        }
        // The endpoints of one server and the issuer of another would mix.
        if members["token_endpoint"]?.isNull == false, members["issuer"]?.isNull ?? true,
            profile["issuer"] != nil, profile["token_endpoint"] == nil
        {
            let foreign = Set(Member.completed + ["issuer"] + Member.ofOneClient)
            return profile.members.filter { !foreign.contains($0.name) }
        }
        guard difference(of: profile, from: document.members, in: ["client_id"]) != nil else {
            return profile.members
        }
        if ClientCredential.allCases.contains(where: { profile.holds($0.member) }) {
            warnings.append(.other("the profile's secret is not used: it belongs to another client"))
        }
        let own = Set(Member.ofOneClient)
        return profile.members.filter { !own.contains($0.name) }
    }

    /// The first of the members that name a client and its server that a profile and a document have with other values.
    private static func difference(
        of profile: JSONObject, from members: JSONObject,
        in names: [String] = ["client_id", "issuer", "token_endpoint"]
    ) -> String? {
        names.first { name in
            guard let own = members[name]?.string, let other = profile[name]?.string else { return false }
            let accepted = name == "issuer" ? profile["accept_issuer"]?.string : nil
            return !own.isIdentical(to: other) && accepted?.isIdentical(to: own) != true
        }
    }

    /// A kept token with what the profile says of its client, which counts before the token's own copy: a secret that was
    /// changed there counts at once. The scope is the token's.
    static func updating(_ members: JSONObject, by profile: JSONObject) -> JSONObject {
        // The server of one cannot be compared with that of the other.
        let isUnknown =
            members["issuer"]?.isNull ?? true && profile["issuer"]?.isNull == false
            && members["token_endpoint"]?.isNull == false && profile["token_endpoint"]?.isNull ?? true
        guard !profile.members.isEmpty, !isUnknown, difference(of: profile, from: members) == nil else {
            return members
        }
        var members = members
        // A key goes with its certificate, whose file may hold it.
        if profile["tls_client_certificate_file"]?.isNull == false { members["tls_client_key_file"] = nil }
        for name in Member.ownedByClient where profile[name]?.isNull == false {
            members.remove(Member.forms(of: Member.secret(of: name)).filter { $0 != name })
            members[name] = profile[name]
        }
        return members
    }

    /// Whether the document has neither the member nor another form of it.
    package static func isOpen(_ name: String, in document: Document) -> Bool {
        Member.forms(of: Member.secret(of: name)).allSatisfy { document.members[$0] == nil }
    }

    /// Takes the programs that print secrets out of a document that a profile has filled up.
    ///
    /// - Throws: exit 3 for one of another form, and for one beside the same secret in the profile.
    package static func commands(
        takenFrom document: inout Document, of profile: JSONObject
    ) throws(Failure) -> [String: SecretCommand] {
        var commands: [String: SecretCommand] = [:]
        for secret in Member.secrets {
            let name = "\(secret)_command"
            for other in [secret, "\(secret)_file"]
            where profile[name]?.isNull == false && profile[other]?.isNull == false {
                throw Failure(.badInput, .usage, "the profile has both \(other) and \(name)")
            }
            guard let value = document.members[name] else { continue }
            document.members[name] = nil
            guard !value.isNull else { continue }
            commands[secret] = try SecretCommand(value, as: name)
        }
        return commands
    }
}

extension JSONObject {
    /// A token document with the programs of its profile that print what it lacks: what renews the token depends on them.
    /// It is looked at, and not kept.
    package func adding(programsOf profile: JSONObject?) -> JSONObject {
        guard let profile else { return self }
        var document = self
        for secret in OAuth.Member.secrets where secret != "refresh_token" && !holds(secret) {
            document["\(secret)_command"] = profile["\(secret)_command"]
        }
        return document
    }
}
