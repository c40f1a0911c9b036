internal import OAuth
package import Wire

/// A client that `oap login --register` registered, and that its server may have forgotten.
package struct ForgottenClient {
    /// The command that registers another client in its place.
    private let command: String
    /// Whether the client has a secret, which may be wrong instead.
    private let hasSecret: Bool

    /// The members of a registration's response that no other client has.
    package static let members = ["registration_client_uri", "client_id_issued_at", "redirect_uris"]

    /// The client of a profile; nil for one that no program registered.
    package init?(_ profile: JSONObject, named name: String) {
        guard Self.members.contains(where: { profile[$0] != nil }) else { return nil }
        let address = ["resource", "issuer"].lazy.compactMap { member -> String? in
            guard let url = profile[member]?.string, url.isPlainWord else { return nil }
            return " \(Member.option(for: member)) \(url)"
        }
        command = "oap login \(name)\(address.first ?? "") --register --save-profile"
        hasSecret = ClientCredential.allCases.contains { profile.holds($0.member) }
    }

    /// What to do after the server has refused the client.
    ///
    /// - Parameter hint: what to do about a client in general: a secret may be wrong.
    package func hint(afterRefusal hint: String?) -> String {
        self.hint(hasSecret ? hint : nil, "the server has forgotten the registered client")
    }

    /// What to do after a login that did not come back: the server's page may have said why.
    ///
    /// - Parameter hint: what to do about other reasons.
    package func hint(afterSilence hint: String?) -> String {
        self.hint(hint, "the login page said that the client is unknown")
    }

    private func hint(_ first: String?, _ sign: String) -> String {
        [first, "if \(sign), register another client: \(command)"].compactMap(\.self).joined(separator: "; ")
    }
}
