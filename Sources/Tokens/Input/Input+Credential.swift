package import Errands
internal import JOSE
package import OAuth
internal import Wire
package import Shell

extension Input {
    /// The input of a request in which the client proves itself, with other secrets; see ``with(secrets:)``.
    package func withCredential(and others: [String] = []) -> Attempt<Input, Failure> {
        with(secrets: keys).onward { (input) throws(Failure) in
            let input = changing(input) { $0.document.keyUse = $0.keyUse }
            let document = input.document
            let own = (try? ClientCredential(of: document)) ?? (IDToken.usesSecret(document) ? .secret : nil)
            return input.with(secrets: others + (own?.members ?? []))
        }
    }

    /// What the client's key is for, as far as it says. What is wrong with it is said where it is used.
    private var keyUse: Document.KeyUse? {
        guard document.keyUse != nil, let key = (try? secret(.key)) ?? nil else { return document.keyUse }
        return (try? PrivateKeyText(key))?.signs == false ? .decryptionOnly : .signing
    }

    /// The secrets that a request may need besides its own: the key that tokens are bound to, and the one that decrypts.
    private var keys: [String] {
        let ofClient = document.keyUse == nil ? [] : ClientCredential.key.members
        return [DPoPBinding.keyMember, DPoPBinding.passPhraseMember] + ofClient
    }

    /// The input of a request that carries the access token, with the key that the token may be bound to.
    package func withToken() -> Attempt<Input, Failure> { with(secrets: ["access_token"] + keys) }

    /// How JWTs of a kind are encrypted for the client.
    ///
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used, and for algorithms that are not supported.
    package func decryption(for profile: JWTProfile) throws(Failure) -> JWTDecryption {
        let key = try clientKey
        return try asFailure(JWTDecryption(for: profile, of: document, key: key))
    }

    /// The client's private key, with its pass phrase; nil without one.
    private var clientKey: (text: String, passPhrase: String?)? {
        get throws(Failure) {
            guard let key = try secret(.key) else { return nil }
            return (key, try secret(ClientCredential.passPhrase))
        }
    }

    /// Signs with the client's private key.
    ///
    /// - Throws: exit 3 without a key; exit 2, 3 or 11 for one that cannot be used.
    package func signer(for use: JWTSigner.Use) throws(Failure) -> JWTSigner {
        guard let key = try clientKey else { throw Failure(document.missing(.key)) }
        return try asFailure(JWTSigner(of: document, key: key.text, passPhrase: key.passPhrase, for: use))
    }

    package func secret(_ credential: ClientCredential) throws(Failure) -> String? { try secret(credential.member) }

    /// A token document with the credential of this input, or the path of its file, in the place of its own, which the
    /// profile may have replaced. A document without one stays without, and none of an option or a variable is kept.
    func updatingCredential(of token: JSONObject) -> JSONObject {
        var token = token
        for credential in ClientCredential.allCases where token.holds(credential.member) {
            let forms = Member.forms(of: credential.member).filter { document.origin(of: $0) == .document }
            guard let name = forms.first(where: { document.members[$0]?.isNull == false }) else { continue }
            token.remove(Member.forms(of: credential.member))
            token[name] = document.members[name]
        }
        return token
    }

    /// Warns of a credential that is not used, though a caller who gives one expects it to be sent: of a variable that is
    /// another client's, where the document has none of its own, and of any if the client authenticates without one.
    ///
    /// - Parameter used: the one that the client authenticates with.
    /// - Throws: exit 2 for one of an option; with `--strict`, exit 10 for one of a variable.
    mutating func warnOfIdleCredential(besides used: ClientCredential?, _ diagnostics: Diagnostics) throws(Failure) {
        let mayBeIdle = used == nil && !document.isKept && !IDToken.usesSecret(document)
        let method = document.members["token_endpoint_auth_method"]?.string ?? "none"
        let problem = "is not used: the token_endpoint_auth_method of the client is \(method)"
        // A key has other uses: it opens answers, and signs authorization requests.
        let signsRequests = try asFailure(AuthorizationRequest.isSigned(for: document))
        let isKeyUsed =
            document.isDecrypting || document.keyUse == .decryptionOnly || signsRequests || document.signsGrant
        for credential in ClientCredential.allCases where credential != .key || !isKeyUsed {
            guard !mayBeIdle || document.origin(of: credential.fileMember) != .option else {
                let methods = ClientAuthentication.Method.allCases.filter { $0.credential == credential }
                let option = Member.option(for: "token_endpoint_auth_method")
                let choice = methods.map(\.rawValue).joined(separator: ", ", last: " or ")
                throw .usage("\(credential.option) \(problem)", hint: "to use it, add \(option) \(choice)")
            }
            let variables = [credential.member, credential.fileMember].map(Member.variable)
            guard let variable = variables.first(where: secrets.environment.isSet) else { continue }
            guard try secrets.isForeign(to: document) else {
                if mayBeIdle { try diagnostics.warn([.other("\(variable) \(problem)")]) }
                continue
            }
            guard try source(of: credential.member) == nil else { continue }
            let hint = """
                use \(credential.option) or the member "\(credential.fileMember)", or set OAP_CLIENT_ID to the client \
                whose secret \(variables[0]) holds
                """
            document.hintsForMissing.append((credential.member, hint))
            let own = document.origin(of: "client_id") == .option ? "--client-id" : "the document"
            try diagnostics.warn([.other("\(variable) is not used: OAP_CLIENT_ID names another client than \(own)")])
        }
    }
}

extension Input {
    /// Refuses another login as what gives a secret, where a pipe or a file names it: its writer would get the token.
    ///
    /// - Throws: exit 3.
    func refuseLogin(giving name: String) throws(Failure) {
        let member = "\(name)_from"
        guard Member.fetched.contains(name), let text = document.members[member]?.string, text.hasPrefix("profile:"),
            !(document.isKept && !isOfFile), document.origin(of: member) != .option, original[member] != nil
        else { return }
        throw Failure(
            .badInput, .usage,
            "\(member) names another login, which only a profile, a stored token or an option may do",
            hint: "\(Member.option(for: member)) \(text)")
    }
}
