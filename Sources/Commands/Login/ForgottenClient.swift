internal import OAuth
internal import Wire

/// A client that `oap login --register` registered, and that its server may have forgotten.
struct ForgottenClient {
    /// The command that registers another client in its place.
    private let command: String
    /// Whether the client has a secret, which may be wrong instead.
    private let hasSecret: Bool

    /// The members of a registration's response that no other client has.
    static let members = ["registration_client_uri", "client_id_issued_at", "redirect_uris"]

    /// The client of a profile; nil for one that no program registered.
    init?(_ profile: JSONObject, named name: String) {
        guard Self.members.contains(where: { profile[$0] != nil }) else { return nil }
        let address = ["resource", "issuer"].lazy.compactMap { member -> String? in
            guard let url = profile[member]?.string, url.isPlainWord else { return nil }
            return " \(Member.option(for: member)) \(url)"
        }
        command = "oap login \(name)\(address.first ?? "") --register --save-profile"
        hasSecret = profile["client_secret"] != nil
    }

    /// A failure with the command in its hint, if the server has refused the client, or its page may have done so; nil for
    /// any other.
    func explained(_ failure: Failure) -> Failure? {
        var failure = failure
        let (hint, sign): (String?, String)
        if Self.refusals.contains(failure.code ?? "") {
            (hint, sign) = (hasSecret ? failure.hint : nil, "the server has forgotten the registered client")
        } else if failure.kind == .cancelled || failure.cause == .redirect {
            // The server's page may have said why.
            (hint, sign) = (failure.hint, "the login page said that the client is unknown")
        } else {
            return nil
        }
        failure.hint = [hint, "if \(sign), register another client: \(command)"].compactMap(\.self)
            .joined(separator: "; ")
        return failure
    }

    private static let refusals: Set = ["invalid_client", "unauthorized_client"]
}
