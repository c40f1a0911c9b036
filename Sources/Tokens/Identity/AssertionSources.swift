package import Errands
internal import JOSE
internal import OAuth
package import Shell
internal import Wire

/// What gives assertions for single requests (`subject_token_from`, `assertion_from`, `client_assertion_from`): platforms of
/// CI jobs and workloads, the key of the client, other logins.
package final class AssertionSources {
    private let transport: Transport
    /// What reads other logins; it owns this.
    private weak var inputs: InputReader?

    package init(_ inputs: InputReader, over transport: Transport) {
        (self.inputs, self.transport) = (inputs, transport)
    }

    /// A new value.
    ///
    /// - Parameters:
    ///   - name: the member that it is for.
    ///   - input: what it is for.
    /// - Throws: as ``IdentityRequest/identity(from:)``; exit 3 without an audience or a key; the failures of a renewal.
    package func value(_ name: String, of source: String, for input: Input) -> Attempt<FreshSecret, Failure> {
        attempting { () throws(Failure) in
            switch try IdentitySource(source, of: "\(name)_from") {
            case .platform(let platform):
                return try request(name, for: input).identity(from: platform).reading { identity in
                    FreshSecret(text: identity.jwt.token, type: identity.type, isStatic: identity.isStatic)
                }
            case .variable(let variable):
                let identity = try request(name, for: input).identity(inVariable: variable)
                return .done(
                    .success(FreshSecret(text: identity.jwt.token, type: identity.type, isStatic: identity.isStatic)))
            case .key:
                return input.with(secrets: ClientCredential.key.members).reading {
                    [transport] (input) throws(Failure) in
                    FreshSecret(text: try input.assertion(at: transport.world), type: WorkloadIdentity.jwtType)
                }
            case .login(let login):
                return try refuseCircle(from: login, after: loggingIn(by: input)).onward { [self] _ in
                    attempting { () throws(Failure) in try token(of: login, as: name, for: input) }
                }
            }
        }
    }

    /// - Throws: exit 3 where nothing says whom the identity is for.
    private func request(_ name: String, for input: Input) throws(Failure) -> IdentityRequest {
        let (member, document) = ("identity_audience", input.document)
        var audience = try asFailure(document.string(member))
        if audience == nil { audience = try asFailure(document.string("issuer")) }
        guard let audience else {
            throw Failure(
                changing(document.missing(member)) {
                    $0.hint = "\(Member.option(for: member)) AUDIENCE, or the issuer that the identity is for"
                })
        }
        return IdentityRequest(input.secrets.environment, over: transport.serving(document), for: audience, of: name)
    }

    /// The name of the login that an input is for, where `oap login` makes its token: it is about to take assertions.
    private func loggingIn(by input: Input) throws(Failure) -> [String] {
        guard let inputs, inputs.isLogin, !input.document.isKept, case .name(let name) = try inputs.source() else {
            return []
        }
        return [name]
    }

    /// Follows the logins that a login takes its assertions from, by what a renewal of it reads: the profile before the
    /// stored token.
    ///
    /// - Throws: exit 3 where one needs itself.
    private func refuseCircle(from login: String, after others: [String]) throws(Failure) -> Attempt<Void, Failure> {
        guard !others.contains(login) else {
            let names = (others + [login]).map(\.shownName).joined(separator: ", ")
            throw Failure(.badInput, .usage, "logins take their assertions from each other: \(names)")
        }
        let token = try kept(login)
        return token.load().then { [self] found in
            // What is wrong with it is said where it is used.
            let input = try? token.input(MemberOption.ofRenewal, members: (try? found.get()) ?? [:])
            let members = input?.document.members ?? [:]
            let names = Member.fetched.compactMap { members["\($0)_from"]?.string?.cut(at: ":") }
                .filter { $0.before == "profile" }.map(\.after)
            return names.reduce(Attempt<Void, Failure>.done(.success(()))) { rest, name in
                rest.onward { (_) throws(Failure) in try self.refuseCircle(from: name, after: others + [login]) }
            }
        }
    }

    private func kept(_ login: String) throws(Failure) -> ManagedToken {
        guard let inputs else { preconditionFailure("the reader of a process lives as long as its inputs") }
        return try ManagedToken(
            named: login, in: try inputs.store(), profile: try inputs.profiles.find(login), inputs, over: transport)
    }

    /// The token of a login: as an assertion a new one each time, as a token to exchange one that is good.
    private func token(
        of login: String, as name: String, for input: Input
    ) throws(Failure) -> Attempt<FreshSecret, Failure> {
        let token = try kept(login)
        let type = try input.type(of: name)
        if type == WorkloadIdentity.idTokenType {
            return token.idToken(minimum: nil).reading { FreshSecret(text: $0.access.token, type: type) }
        }
        let kept = name.hasSuffix("assertion") ? token.renewed(because: .asked) : token.current(minimum: nil)
        return kept.reading { (document) throws(Failure) in
            let access = try asFailure(Document(document).required("access_token"))
            return FreshSecret(text: access, type: document["issued_token_type"]?.string ?? type)
        }
    }
}

extension Input {
    /// A JWT that the client signs about itself (RFC 7523 §3), with the claims of the document before its own.
    ///
    /// - Throws: exit 3 without a key, an audience or a `client_id`; exit 2, 3 or 11 for a key that cannot be used.
    fileprivate func assertion(at world: World) throws(Failure) -> String {
        let signer = try signer(for: .authentication(at: "token_endpoint"))
        var claims = try asFailure(document.object("assertion_claims"))
        let client = try asFailure(document.required("client_id"))
        let now = world.seconds
        // Some servers have clocks behind ours.
        let standard: JSONObject = [
            "iss": .string(client), "sub": .string(client), "iat": .integer(now - 60), "exp": .integer(now + 240),
            "jti": .string(Base64.encodeURL(try world.random(16))),
        ]
        for member in standard.members where claims[member.name] == nil { claims[member.name] = member.value }
        if try asFailure(document.bool("assertion_scope")) == true, claims["target_audience"] == nil {
            claims["scope"] = document.members["scope"]
        }
        if claims["aud"] == nil {
            let endpoint = try asFailure(Endpoint("token_endpoint", in: document))
            claims["aud"] = .string(try asFailure(AssertionAudience.text(of: document, for: endpoint)))
        }
        claims = JSONObject(unique: claims.members.filter { !$0.value.isNull })
        return try asFailure(signer.sign(claims))
    }
}
