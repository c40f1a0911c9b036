internal import CommandSpec
internal import OAuth
internal import Wire

extension LoginClient {
    /// Whether options or the resource ask for another scope or other parameters than the profile, which stays as it is.
    ///
    /// - Parameter found: what was found of the server.
    func hasPassingWishes(_ found: JSONObject, _ way: LoginWay) -> Bool {
        let extra = settings.authorization.extra
        if TokenDocument.remembering(extra, as: way.parameters, in: members) != members { return true }
        let asked = Self.scope(in: inputs.settings.members) ?? found["scope"]?.string
        return asked.map { members["scope"]?.string?.isIdentical(to: $0) != true } ?? false
    }

    /// Writes the files of secrets, keys and certificates of a login to the profile where that has others: a renewal takes
    /// the profile's. Not for a login of another client.
    ///
    /// - Throws: exit 11.
    func saveCredential() throws(Failure) {
        guard saving == .none, let profile = try inputs.profiles.find(name.text) else { return }
        let values = inputs.settings.members
        let id = Self.text(of: "client_id", in: values)
        guard id == nil || profile["client_id"]?.string == id else { return }
        var changed = profile
        for option in Self.options where option.form == .file && values.has(option) {
            let (value, secret) = (try values.value(of: option), Member.secret(of: option.member))
            let isStorable = value.string.map { !DescriptorPath.isOne($0) } ?? false
            guard isStorable, profile.holds(secret) else { continue }
            changed.remove(Member.forms(of: secret))
            changed[option.member] = value
        }
        for member in try settings.route.members().members where profile[member.name] != nil {
            changed[member.name] = member.value.isNull ? nil : member.value
        }
        guard changed != profile else { return }
        try inputs.profiles.write(changed, as: name.text)
        inputs.diagnostics.tell("the profile \(name.text) has the files of this login now, which renewals use")
    }

    /// Whether a stored token is one that a login would bring: of the same client and its files, for the same resources,
    /// with the scope and the parameters of the options.
    ///
    /// - Throws: exit 2 or 11 for an invalid option; exit 3 for a member of another form.
    func suits(_ token: JSONObject, for way: LoginWay) throws(Failure) -> Bool {
        let values = inputs.settings.members
        let profile = saving == .none ? nil : try inputs.profiles.find(name.text) ?? [:]
        for option in Self.options + MemberOption.of("resource") {
            let given = values.has(option) ? try values.value(of: option) : nil
            // What the profile has is in the token, unless the profile was changed since.
            let isStorable = given?.string.map { !DescriptorPath.isOne($0) } ?? true
            if let profile, let given, isStorable, option.member != "resource", profile[option.member] != given {
                return false
            }
            if let given, isStorable, option.form == .file, token.holds(Member.secret(of: option.member)),
                token[option.member] != given
            {
                return false
            }
            guard ["client_id", "resource"].contains(option.member), let wanted = given ?? members[option.member] else {
                continue
            }
            let (own, other) = (try Self.texts(token[option.member]), try Self.texts(wanted))
            if given != nil ? own != other : !own.isEmpty && own != other { return false }
        }
        let extra = settings.authorization.extra
        guard TokenDocument.remembering(extra, as: way.parameters, in: token) == token else { return false }
        return Self.grants(token, values)
    }

    private static func texts(_ value: JSON?) throws(Failure) -> [String] {
        try lift(try Document(value.map { ["value": $0] } ?? [:]).strings("value"))
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
