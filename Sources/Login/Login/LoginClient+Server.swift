internal import OAuth
internal import Wire
package import Shell

/// Whether the server of a login is that of its client: the endpoints and the client of one server are not mixed with the
/// issuer of another.
extension LoginClient {
    /// Whether a client is that of another server: of another issuer, or of endpoints without an issuer.
    static func isOther(_ client: JSONObject, than issuer: String) -> Bool {
        if let known = client["issuer"]?.string {
            return ![known, client["accept_issuer"]?.string].contains { $0?.isIdentical(to: issuer) == true }
        }
        return ["authorization_endpoint", "token_endpoint"].contains { client[$0] != nil }
    }

    /// Refuses `OAP_ISSUER` if it names another server than that of a client.
    ///
    /// - Parameter source: what names the client, for the message.
    /// - Throws: exit 2.
    static func refuseVariable(
        _ source: String, _ client: JSONObject, _ environment: Environment, hint: String
    ) throws(Failure) {
        let variable = Member.variable(for: "issuer")
        guard let issuer = try environment.value(variable), isOther(client, than: issuer) else { return }
        throw .usage("\(source) and \(variable) name different servers", hint: hint)
    }

    /// The failure for a profile that an option would replace.
    package static func refusal(of name: String, for option: String) -> Failure {
        .usage(
            "the profile \(name) exists, and differs from \(option)",
            hint: "to use the profile, leave \(option) out; to replace the profile, add --save-profile")
    }
}
