package import Wire

/// The flat JSON object that flows through the pipe, with where its values came from (oap-documents(5)).
package struct Document: Sendable {
    /// Where a value came from; a bad one is the caller's fault in the first two cases, the data's in the third.
    package enum Origin: Sendable {
        case option
        case environment
        case document
    }

    package var members: JSONObject
    /// The members that did not come with the document itself; the last of a name counts. They are few, and no
    /// dictionary, whose metadata the runtime would search all conformances for.
    private var origins: [(name: String, origin: Origin)] = []

    /// What to do about a member that is missing, in the place of the usual.
    package var hintForMissing: String?
    /// What to do about a missing member of one of these names.
    package var hintsForMissing: [(name: String, hint: String)] = []
    /// The members whose variable is set but empty.
    package var emptyVariables: [String] = []
    /// The members whose variable is set, and says nothing of this server.
    package var idleVariables: [String] = []
    /// Whether the client presents a certificate, so that the aliases of endpoints count.
    package var hasCertificate = false
    /// What the private key is for that the client has somewhere; nil for a client without one.
    package var keyUse: KeyUse?
    package enum KeyUse: Sendable { case signing, decryptionOnly }
    /// Whether the client has a key that tokens are bound to, somewhere.
    package var hasDPoPKey = false
    /// Whether `oap` keeps the document: no variable sets an endpoint of it.
    package var isKept = false

    package init(_ members: JSONObject) { self.members = members }

    package mutating func set(_ name: String, to value: JSON, from origin: Origin) {
        members[name] = value
        origins.append((name, origin))
    }

    package func origin(of name: String) -> Origin {
        origins.last { $0.name.isIdentical(to: name) }?.origin ?? .document
    }
}

extension Document {
    /// A string member. Null counts as absent.
    ///
    /// - Throws: `usage` when it is there and no string.
    package func string(_ name: String) throws(OAuthError) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let value): return value
        case .some(let value): throw wrongType(name, expected: "a string", found: value)
        }
    }

    /// A string member that is needed.
    ///
    /// - Throws: `metadata_missing` if it is absent; `usage` if it is not a string, or empty, and for a `client_id` with the
    ///   line end of a file.
    package func required(_ name: String) throws(OAuthError) -> String {
        guard let value = try string(name) else { throw missing(name) }
        guard !value.isEmpty else { throw invalid(name, "is empty") }
        if name == "client_id", let unseen = value.unseenCharacter { throw invalid(name, "holds \(unseen)") }
        return value
    }

    /// A boolean member; the strings `true` and `false` are taken too, as a variable or an option brings them.
    ///
    /// - Throws: `usage` when it is there and neither.
    package func bool(_ name: String) throws(OAuthError) -> Bool? {
        switch members[name] {
        case nil, .null: return nil
        case .bool(let value): return value
        case .string("true"): return true
        case .string("false"): return false
        case .some(let value): throw wrongType(name, expected: "true or false", found: value)
        }
    }

    /// A member that is a number of whole seconds, 0 or more; a string that holds one is taken too, as an option brings it.
    /// Null counts as absent.
    ///
    /// - Throws: `usage` when it is there and anything else.
    package func wholeSeconds(_ name: String) throws(OAuthError) -> Int? {
        guard let value = members[name], !value.isNull else { return nil }
        let text = if case .number(let number) = value { number } else { value.string }
        guard let seconds = text.flatMap({ Int($0) }), seconds >= 0 else {
            throw invalid(name, "must be whole seconds, 0 or more")
        }
        return seconds
    }

    /// A member that is one string or an array of strings.
    ///
    /// - Throws: `usage` when it is there and neither.
    package func strings(_ name: String) throws(OAuthError) -> [String] {
        switch members[name] {
        case nil, .null: return []
        case .string(let value): return [value]
        case .some(let value):
            guard let values = value.strings else {
                throw wrongType(name, expected: "a string or an array of strings", found: value)
            }
            return values
        }
    }

    /// A member that is one of a few values. Null counts as absent.
    ///
    /// - Throws: `usage` when it is there and no such value.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws(OAuthError) -> Choice? {
        guard let text = try string(name) else { return nil }
        guard let choice = Choice.allCases.first(where: { $0.rawValue.isIdentical(to: text) }) else {
            let values = Choice.allCases.map(\.rawValue)
            let others = values.dropLast().joined(separator: ", ")
            throw invalid(name, "must be \(others.isEmpty ? "" : "\(others) or ")\(values.last ?? "")")
        }
        return choice
    }

    /// A member that is an object; empty where it is absent.
    ///
    /// - Throws: `usage` when it is there and something else.
    package func object(_ name: String) throws(OAuthError) -> JSONObject {
        guard let value = members[name], !value.isNull else { return [:] }
        guard let object = value.object else { throw wrongType(name, expected: "an object", found: value) }
        return object
    }

    /// An object whose values are strings, numbers, booleans, or arrays of strings, as name and text.
    ///
    /// - Parameter takesJSON: whether other values are there too, as a form has them (RFC 9396 §3): as JSON.
    /// - Throws: `usage` when it is there and something else.
    package func parameters(
        _ name: String, takesJSON: Bool = false
    ) throws(OAuthError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for member in try object(name).members {
            switch member.value {
            case .string(let text), .number(let text): pairs.append((member.name, text))
            case .bool(let flag): pairs.append((member.name, flag ? "true" : "false"))
            case .null: break
            case .array(let values) where !values.isEmpty && values.allSatisfy { $0.string != nil }:
                pairs += values.compactMap { $0.string.map { (member.name, $0) } }
            case .array, .object:
                guard takesJSON else {
                    throw wrongType("\(name).\(member.name)", expected: "a string", found: member.value)
                }
                pairs.append((member.name, member.value.text))
            }
        }
        return pairs
    }

    func wrongType(_ name: String, expected: String, found: JSON) -> OAuthError {
        invalid(name, "must be \(expected), not \(found.kindNoun)")
    }

    /// The error for a member with an invalid value, blamed on its origin.
    ///
    /// - Parameter reason: what is wrong, behind the member's name.
    package func invalid(_ name: String, _ reason: String, hint: String? = nil) -> OAuthError {
        blame(OAuthError(.usage, "\(name) \(reason)", hint: hint, member: name))
    }

    package func blame(_ error: OAuthError) -> OAuthError {
        guard error.kind == .usage, let member = error.member else { return error }
        return changing(error) { $0.origin = origin(of: member) == .document ? .document : .caller }
    }

    /// The value of an expression about a member of the document, which its error is blamed on.
    package func blaming<Value>(
        _ value: @autoclosure () throws(OAuthError) -> Value
    ) throws(OAuthError) -> Value {
        do throws(OAuthError) { return try value() } catch { throw blame(error) }
    }

    /// The command that finds a member of the server's metadata, if the issuer is known or may be.
    private func discovery(of name: String) -> String? {
        guard Member.completed.contains(name) else { return nil }
        guard let issuer = members["issuer"]?.string, !issuer.isEmpty else {
            guard !isKept, name.hasSuffix("_endpoint"), let member = Member.named(name) else { return nil }
            let supply = member.supply(isKept: isOfServer)
            return """
                \(supply); to look it up: oap discover ISSUER; for an API or an MCP server: oap discover --resource URL
                """
        }
        guard issuer.isPlainWord else { return nil }
        return "oap discover \(issuer) finds it"
    }

    /// Where a client is registered and with which redirect URI, if a preset says so.
    ///
    /// - Parameter isLogin: whether the URI is used without an option.
    package func registrationHint(isLogin: Bool) -> String? {
        guard let page = members["registration_page"]?.string else { return nil }
        guard let uri = members["registration_redirect_uri"]?.string else { return "register a client at \(page)" }
        let needsOption = !isLogin && WebURL(uri)?.port != nil
        let option = needsOption ? ", which \(Member.option(for: "redirect_uri")) gives to oap" : ""
        return "register a client at \(page) with the redirect URI \(uri)\(option)"
    }

    /// The hint for a missing member in the place of the usual one.
    package func ownHint(forMissing name: String, isSecret: Bool = false) -> String? {
        (isSecret ? nil : hintForMissing) ?? hintsForMissing.first { $0.name.isIdentical(to: name) }?.hint
    }

    /// Why no user is known of a token that belongs to a client (RFC 6749 §4.4); nil for another token.
    package var hintForClientToken: String? {
        members["grant_type"]?.string == "client_credentials"
            ? "the token belongs to the client: no user has logged in" : nil
    }

    /// Whether the document names its server, so that no variable sets an endpoint of it.
    package var isOfServer: Bool {
        isKept || JSONObject(unique: members.members.filter { origin(of: $0.name) == .document }).namesServer
    }

    /// The error for a member that is not there; the record of the member says what would supply it.
    package func missing(_ name: String) -> OAuthError {
        // The hint for any member says where a client comes from, which no secret does.
        let isSecret = Member.named(name)?.secrecy == .file
        var hint =
            ownHint(forMissing: name, isSecret: isSecret) ?? discovery(of: name)
            ?? (isOfServer ? Member.named(name)?.supply(isKept: true) : nil)
        if name == "id_token" { hint = hintForClientToken ?? hint }
        if name == "client_id", let registration = registrationHint(isLogin: false) {
            hint = [registration, Member.named(name)?.supply].compactMap(\.self).joined(separator: "; ")
        }
        let letters = Self.letters(in: name)
        if let other = members.members.first(where: { $0.name != name && Self.letters(in: $0.name) == letters }) {
            hint = Self.misspelling(other.name, of: name)
        }
        let problem =
            emptyVariables.contains(name)
            ? "is set but empty" : idleVariables.contains(name) ? "is not used: the document names its server" : nil
        let reason = problem.map { " (\(Member.variable(for: name)) \($0))" } ?? ""
        return OAuthError(.metadataMissing, "\(name) is missing\(reason)", hint: hint, member: name)
    }

    /// A warning for each member of a client that has another name than the records know it by.
    package var misspellings: [OAuthWarning] {
        let known = Member.all.map(\.name) + Member.ofClient
        return members.members.filter { !known.contains($0.name) }.compactMap { member in
            let letters = Self.letters(in: member.name)
            let name = Member.ofClient.first { Self.letters(in: $0) == letters } ?? Self.near(member.name, known)
            return name.map { .other(Self.misspelling(member.name, of: $0)) }
        }
    }

    /// The known name that differs from another one by a slip or two.
    private static func near(_ name: String, _ known: [String]) -> String? {
        guard (5...64).contains(name.utf8.count) else { return nil }
        let near = known.map { (name: $0, distance: editDistance(name, $0)) }.min { $0.distance < $1.distance }
        return near.flatMap { $0.distance <= (name.utf8.count < 8 ? 1 : 2) ? $0.name : nil }
    }

    private static func misspelling(_ other: String, of name: String) -> String {
        "the document has \(JSON.string(other).text): the name of this member is \"\(name)\""
    }

    /// The letters and digits of a name, in lower case: `clientId` and `client-id` have those of `client_id`. Those of an
    /// address are the same for `_url`, `_uri` and `_endpoint`, and `auth_url` means `authorization_endpoint`.
    private static func letters(in name: String) -> [UInt8] {
        let letters = name.asciiLowercased.utf8.filter { $0 != 0x5F && $0 != 0x2D }
        let text = String(decoding: letters, as: UTF8.self)
        guard let end = ["endpoint", "url", "uri"].first(where: text.hasSuffix) else { return letters }
        let address = text.dropLast(end.utf8.count)
        return Array((["auth", "authorize"].contains(address) ? "authorization" : address).utf8) + [0x2E]
    }
}
