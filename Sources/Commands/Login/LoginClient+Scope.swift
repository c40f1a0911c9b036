internal import CommandSpec
internal import OAuth
internal import Wire

extension LoginClient {
    /// Whether an option or the resource asks for another scope than that of the profile, which stays as it is.
    ///
    /// - Parameter found: what was found of the server.
    func hasPassingScope(_ found: JSONObject) -> Bool {
        let asked = Self.scope(in: inputs.settings.members) ?? found["scope"]?.string
        guard saving == .none, let scope = asked else { return false }
        return members["scope"]?.string?.isIdentical(to: scope) != true
    }

    /// Whether a token has the scope that an option asks for, as far as its server says what it granted.
    static func grants(_ token: JSONObject, _ values: MemberValues) -> Bool {
        guard let asked = scope(in: values), let granted = token["scope"]?.string else { return true }
        return Scope(splitting: asked).isContained(in: Scope(splitting: granted))
    }

    private static func scope(in values: MemberValues) -> String? {
        options.first { $0.form == .scope }.flatMap { MemberOption.scope(of: values.texts(of: $0)) }
    }
}
