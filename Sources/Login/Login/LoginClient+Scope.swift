package import OAuth
package import Wire
package import Shell
package import Sessions

extension LoginClient {
    /// Whether options or the resource ask for another scope or other parameters than the profile, which stays as it is.
    ///
    /// - Parameter found: what was found of the server.
    /// - Throws: exit 3 for a resource of another form.
    package func hasPassingWishes(_ found: JSONObject, _ way: LoginWay) throws(Failure) -> Bool {
        let extra = settings.authorization.extra
        if TokenDocument.remembering(extra, as: way.parameters, in: members) != members { return true }
        if let named = try namedResources, try !members.isFor(named) { return true }
        let asked = Self.scope(in: inputs.settings.members) ?? found["scope"]?.string
        return asked.map { members["scope"]?.string?.isIdentical(to: $0) != true } ?? false
    }

    /// Writes the files of secrets, keys and certificates of a login to the profile where that has others: a renewal takes
    /// the profile's. Not for a login of another client.
    ///
    /// - Throws: exit 11.
    package func saveCredential() throws(Failure) {
        guard !saves, let profile = try inputs.profiles.find(name.text) else { return }
        let values = inputs.settings.members
        let id = Self.text(of: "client_id", in: values)
        guard id == nil || profile["client_id"]?.string == id else { return }
        let files = Self.options.filter { option in
            let isStorable = values.text(of: option).map { !DescriptorPath.isOne($0) } ?? false
            return option.form == .file && isStorable && profile.holds(Member.secret(of: option.member))
        }
        let route = JSONObject(unique: try settings.route.members().members.filter { profile[$0.name] != nil })
        let changed = try values.merging(files, into: profile).changed(by: route)
        guard changed != profile else { return }
        try inputs.profiles.write(changed, as: name.text)
        inputs.diagnostics.tell("the profile \(name.text) has the files of this login now, which renewals use")
    }

    /// Whether a stored token is one that a login would bring: of the same client and its files, for the same resources,
    /// with the scope and the parameters of the options.
    ///
    /// - Throws: exit 2 or 11 for an invalid option; exit 3 for a member of another form.
    package func suits(_ token: JSONObject, for way: LoginWay) throws(Failure) -> Bool {
        let values = inputs.settings.members
        let profile = !saves ? nil : try inputs.profiles.find(name.text) ?? [:]
        if let named = try namedResources {
            guard try token.isFor(named), try profile?.isFor(named) != false else { return false }
        } else if token["resource"]?.isNull == false, members["resource"] != nil {
            guard try token.isFor(Self.texts(members["resource"])) else { return false }
        }
        let isBound = token["token_type"]?.string?.equalsIgnoringASCIICase("DPoP") == true
        // A token that is bound to a certificate is a bearer token by its type.
        let certified = "tls_client_certificate_bound_access_tokens"
        for option in MemberOption.of("dpop_bound_access_tokens", certified, "profile")
        where token[certified] != .bool(true) && (!isBound || option.member == certified) {
            guard !values.has(option), members[option.member] != option.flagged else { return false }
        }
        for option in Self.options {
            let given = values.has(option) ? try values.value(of: option) : nil
            // What the profile has is in the token, unless the profile was changed since.
            let isStorable = given?.string.map { !DescriptorPath.isOne($0) } ?? true
            if let profile, let given, isStorable, profile[option.member] != given { return false }
            if let given, isStorable, option.form == .file, token.holds(Member.secret(of: option.member)),
                token[option.member] != given
            {
                return false
            }
            guard option.member == "client_id", let wanted = given ?? members[option.member] else { continue }
            let (own, other) = (try Self.texts(token[option.member]), try Self.texts(wanted))
            if given != nil ? own != other : !own.isEmpty && own != other { return false }
        }
        let extra = settings.authorization.extra
        guard TokenDocument.remembering(extra, as: way.parameters, in: token) == token else { return false }
        return Self.grants(token, values)
    }

    /// The resources that the options name; nil if they name none.
    var namedResources: [String]? {
        get throws(Failure) {
            for option in MemberOption.of("resource") where inputs.settings.members.has(option) {
                return try Self.texts(try inputs.settings.members.value(of: option))
            }
            return nil
        }
    }

    /// Adds what an API asked of the login that replaces the stored token (RFC 9470 §4), with the scope that this one has,
    /// and says so. What options and profile demand stays: an API can only add to it.
    ///
    /// - Throws: exit 8 without a stored token, exit 2 if no API asked for anything, exit 3 for a member of another form.
    package func stepUp(_ document: inout Document, _ session: Session) throws(Failure) {
        let token = try session.engine.run(try session.login(name.text).load())
        guard let wish = token["step_up"]?.object else {
            throw .usage(
                "no API has asked for another login than that of \(name.text)",
                hint: "oap call \(name.text) URL notes what an API asks for; or use --acr-values, --max-age or --scope")
        }
        var wishes: [String] = []
        document = try asFailure(AuthorizationRequest.takingMembers(outOfPresetOf: document)).document
        // What the server does for this client where a request does not say (OpenID Connect Registration §2).
        let contexts = try asFailure(document.strings("default_acr_values")).joined(separator: " ")
        let acr = document.members["acr_values"]?.string ?? contexts
        // Of several values the first is preferred.
        for (name, own) in [("scope", token["scope"]?.string), ("acr_values", acr)] {
            guard let wanted = wish[name]?.string else { continue }
            let isOption = document.origin(of: name) == .option
            let all = isOption ? document.members[name]?.string ?? "" : Scope.union(of: [own ?? "", wanted])
            document.set(name, to: .string(all), from: .option)
            wishes.append("\(name) \(wanted)" + (all.isIdentical(to: wanted) ? "" : " (this login: \(all))"))
        }
        if let wanted = wish["max_age"]?.integer {
            let limit = try asFailure(document.wholeSeconds("default_max_age"))
            let age = min(wanted, try asFailure(document.wholeSeconds("max_age")) ?? limit ?? wanted)
            document.set("max_age", to: .integer(age), from: .option)
            wishes.append("max_age \(wanted)" + (age == wanted ? "" : " (this login: \(age))"))
        }
        if let wanted = wish["claims"]?.object {
            // What the profile asks of a claim stays.
            var claims = document.members["claims"]?.object ?? [:]
            for place in wanted.members where document.origin(of: "claims") != .option {
                var asked = claims[place.name]?.object ?? [:]
                for claim in place.value.object?.members ?? [] where asked[claim.name]?.isNull ?? true {
                    asked[claim.name] = claim.value
                }
                claims[place.name] = .object(asked)
            }
            document.set("claims", to: .object(claims), from: .option)
            wishes.append("claims \(JSON.object(wanted).text)")
        }
        session.diagnostics.tellOnce("\(wish["api"]?.string ?? "an API") asks for \(wishes.joined(separator: ", "))")
    }

    /// The members that go with the resource of the client, and do not fit another one: the address by which it was asked
    /// for, and an `api_base` that is its own.
    ///
    /// - Throws: exit 3 for a member of another form.
    var placesOfResource: [String] {
        get throws(Failure) {
            let origins = try Self.texts(members["resource"]).compactMap { WebURL($0)?.origin }
            let base = members["api_base"]?.string.flatMap { WebURL($0)?.origin } ?? ""
            let isChosen = Self.text(of: "api_base", in: inputs.settings.members) != nil
            return ["requested_resource"] + (origins.contains(base) && !isChosen ? ["api_base"] : [])
        }
    }

    private static func texts(_ value: JSON?) throws(Failure) -> [String] {
        try asFailure(Document(value.map { ["value": $0] } ?? [:]).strings("value"))
    }

    /// Whether a token has the scope that an option asks for, as far as its server says what it granted.
    private static func grants(_ token: JSONObject, _ values: MemberValues) -> Bool {
        guard let asked = scope(in: values), let granted = token["scope"]?.string else { return true }
        return Scope(splitting: asked).isContained(in: Scope(splitting: granted))
    }

    private static func scope(in values: MemberValues) -> String? {
        options.first { $0.form == .scope }.flatMap { MemberOption.scope(of: values.texts(of: $0)) }
    }
}

extension JSONObject {
    /// Whether a client or a token is for these resources, by the names that they have themselves or by the one that was
    /// asked for.
    ///
    /// - Throws: exit 3 for a member of another form.
    func isFor(_ resources: [String]) throws(Failure) -> Bool {
        for name in ["resource", "requested_resource"]
        where try asFailure(Document(self).strings(name)) == resources { return true }
        return false
    }
}
