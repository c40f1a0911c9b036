internal import JOSE
internal import Members
internal import Wire

/// A profile that a document holds its client to (`profile`).
package enum SecurityProfile: String, CaseIterable, Sendable {
    /// The FAPI 2.0 Security Profile (February 2025). A refusal names its section.
    case fapi2

    /// The profile of a document; nil for none.
    ///
    /// - Throws: `usage` for another one.
    package init?(of document: Document) throws(OAuthError) {
        guard let profile: Self = try document.choice("profile") else { return nil }
        self = profile
    }

    /// What the client signs with, the best first (section 5.4.1).
    static let algorithms: [SignatureAlgorithm] = [.ps256, .es256, .edDSA, .ed25519]

    /// What to do where a server signs otherwise.
    static let registering = "register PS256, ES256 or EdDSA for the client"

    /// How a client authenticates: by a key or a certificate of its own (section 5.3.3.1).
    static let methods: [ClientAuthenticationMethod] = [.privateKeyJWT, .tls, .selfSignedTLS]

    /// The names of these algorithms among others; of all for none.
    package static func names(among others: [String]) -> [String] {
        let names = algorithms.map(\.rawValue)
        return others.isEmpty ? names : names.filter(others.contains)
    }

    /// Refuses an authentication of the client that the profile does not allow (section 5.3.3.1).
    static func check(_ method: ClientAuthenticationMethod, for document: Document) throws(OAuthError) {
        guard try SecurityProfile(of: document) != nil else { return }
        guard methods.contains(method) else {
            let member = "token_endpoint_auth_method"
            let isOfVariable = document.origin(of: member) == .environment
            throw refusal(
                "the client authenticates with \(method.rawValue)", "5.3.3.1", member,
                hint: (isOfVariable ? "unset \(Member.variable(for: member)), and " : "")
                    + "use --client-key-file, or --cert and --key with tls_client_auth")
        }
        let audience = try document.string("assertion_audience") ?? "issuer"
        guard audience == "issuer" else {
            throw refusal("the assertion_audience is not the issuer", "5.3.3.1", "assertion_audience")
        }
    }

    /// Refuses an authorization request that the profile does not allow (section 5.3.3.2).
    ///
    /// - Parameter hasS256: whether PKCE protects the code with S256.
    package func check(hasS256: Bool, for document: Document) throws(OAuthError) {
        guard hasS256 else {
            throw Self.refusal("the code is not protected by PKCE with S256", "5.3.3.2", "pkce")
        }
        try checkBinding(of: document)
        try checkAlgorithms(of: document)
    }

    /// Refuses a client whose answers are signed otherwise (section 5.4.1): the code would be spent for nothing.
    package func checkAlgorithms(of document: Document) throws(OAuthError) {
        for name in ["id_token", "authorization", "userinfo"].map({ "\($0)_signed_response_alg" }) {
            guard let algorithm = try document.string(name), !Self.names(among: []).contains(algorithm) else {
                continue
            }
            throw Self.refusal(
                "\(name) is \(algorithm)", "5.4.1", name, hint: Self.registering)
        }
    }

    /// Refuses access tokens that are bound to neither a key nor a certificate (section 5.3.3.1).
    func checkBinding(of document: Document) throws(OAuthError) {
        guard try document.isSenderConstrained else {
            throw Self.refusal(
                "access tokens would be bound to nothing", "5.3.3.1", "dpop_bound_access_tokens",
                hint: "leave \"dpop_bound_access_tokens\": false out of the document")
        }
    }

    /// Refuses a grant that the profile forbids (section 5.3.2.1).
    static func check(grant type: String, for document: Document) throws(OAuthError) {
        guard try SecurityProfile(of: document) != nil, type == "password" else { return }
        throw refusal("the grant is the password of a user", "5.3.2.1", "grant_type")
    }

    private static func refusal(
        _ fact: String, _ section: String, _ member: String, hint: String? = nil
    ) -> OAuthError {
        OAuthError(
            .usage, "the profile fapi2 does not allow this: \(fact) (FAPI 2.0, section \(section))", hint: hint,
            member: member, origin: .document)
    }
}

extension Document {
    /// Whether access tokens are bound to a key or to a certificate.
    var isSenderConstrained: Bool {
        get throws(OAuthError) {
            let isOfCertificate = try bool("tls_client_certificate_bound_access_tokens") == true
            return try isDPoPBound || isOfCertificate && hasCertificate
        }
    }
}
