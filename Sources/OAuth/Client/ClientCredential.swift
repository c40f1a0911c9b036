package import Members
internal import Wire

/// What a client proves itself with (RFC 6749 §2.3); nil for a client that only names itself, and for one that shows its
/// certificate. Besides the records of the members, no other type knows the member of one.
package enum ClientCredential: String, Sendable, CaseIterable {
    /// A secret that client and server share (RFC 6749 §2.3.1), which is also the key of an ID token with an HMAC.
    case secret = "client_secret"
    /// A private key, with which the client signs JWTs (RFC 7523 §2.2).
    case key = "client_key"
    /// A JWT that somebody else signs for the client (RFC 7521 §4.2), which is for one request.
    case assertion = "client_assertion"

    /// What a method of this name needs, though `oap` may not know the method: a client may be registered with it.
    package init?(method: String?) {
        if method == ClientAuthenticationMethod.privateKeyJWT.rawValue {
            self = .key
        } else {
            guard method?.hasPrefix(Self.secret.member) == true else { return nil }
            self = .secret
        }
    }

    /// What the client of a document needs, or may have if it names no method.
    ///
    /// - Parameter isNamed: whether the request must name the client.
    /// - Throws: `metadata_missing` for a missing `client_id`, `usage` for an unknown method.
    package init?(of document: Document, isNamed: Bool = true) throws(OAuthError) {
        if isNamed || document.members["client_id"] != nil { _ = try document.required("client_id") }
        let usual: ClientAuthenticationMethod = document.signsForClient ? .privateKeyJWT : .basic
        self.init(method: (try ClientAuthenticationMethod.named(in: document) ?? usual).rawValue)
        if self == .key, document.hasAssertion { self = .assertion }
    }

    package var member: String { rawValue }
    /// The members of all that is needed to use it.
    package var members: [String] { self == .key ? [member, Self.passPhrase] : [member] }
    /// The pass phrase of an encrypted key.
    package static let passPhrase = "client_key_passphrase"
    /// What people call the credential.
    package var noun: String {
        switch self {
        case .secret: "secret"
        case .key: "key"
        case .assertion: "JWT"
        }
    }
    /// Whether a server issues it at a registration (RFC 7591 §3.2.1).
    package var isIssued: Bool { self == .secret }
    package var fileMember: String { "\(member)_file" }
    /// The member that says when it ends, in seconds since 1970; 0 for never (RFC 7591 §3.2.1).
    package var endMember: String { "\(member)_expires_at" }
    package var option: String { Member.option(for: fileMember) }
    /// What would supply the credential, for people.
    package var supply: String { Member.named(member)?.supply ?? "" }
}

extension ClientAuthenticationMethod {
    package var credential: ClientCredential? { ClientCredential(method: rawValue) }

    /// Whether the client sends a JWT, which has times and an audience (RFC 7523 §2.2).
    package var signsJWT: Bool { self == .secretJWT || self == .privateKeyJWT }

    static func named(in document: Document) throws(OAuthError) -> Self? {
        guard let name = try document.string("token_endpoint_auth_method") else { return nil }
        guard let method = Self(rawValue: name) else {
            throw document.invalid(
                "token_endpoint_auth_method", "\(name) is not supported",
                hint: "oap supports \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return method
    }
}

extension Document {
    package func missing(_ credential: ClientCredential) -> OAuthError { missing(credential.member) }
}

extension Document {
    /// Whether answers are encrypted for the client, so that its key may be there for that alone.
    package var isDecrypting: Bool {
        ["id_token", "userinfo", "introspection"].contains { members["\($0)_encrypted_response_alg"]?.isNull == false }
    }

    /// Whether the key signs the grant, which proves the client by that.
    package var signsGrant: Bool { members["assertion_from"]?.string == "key" }

    /// Whether the key authenticates a client that names no method: not where there is a secret, and a use for the key.
    var isKeyOfClient: Bool {
        keyUse == .signing && !signsGrant && !(isDecrypting && members.holds(ClientCredential.secret.member))
    }

    /// Whether somebody else signs the JWTs of the client.
    var hasAssertion: Bool { members.holds(ClientCredential.assertion.member) }

    /// Whether a client that names no method authenticates with a JWT, which it or somebody else signs.
    var signsForClient: Bool { isKeyOfClient || hasAssertion }
}
