package import OAuth
package import Shell
package import Wire
internal import Calls
package import Errands
internal import System

/// An identity of this job or workload, as it was fetched for one request.
package struct Identity: Sendable {
    package let jwt: WorkloadIdentity
    /// What its type is called in an exchange (RFC 8693 §3).
    package let type: String
    /// The platform, or what else it came from.
    package let origin: String
    /// Whether it is the only one of the job.
    let isStatic: Bool

    /// What of its document is used up by an exchange.
    package static let members = ["subject_token", "subject_token_type", "assertion", "audience", "from"]

    /// Whether a document is that of an identity.
    package static func isDocument(_ members: JSONObject) -> Bool {
        members["from"]?.string != nil && members["subject_token"]?.string != nil
    }

    /// The document of an identity for a grant whose assertion it is (RFC 7523 §2.1).
    package static func asAssertion(_ members: JSONObject) -> JSONObject {
        var members = members
        members["assertion"] = members["subject_token"]
        members.remove(["subject_token", "subject_token_type"])
        return members
    }

    /// The document for `oap exchange`.
    ///
    /// - Parameter audience: whom it was asked for.
    package func document(for audience: String?) -> JSONObject {
        var document: JSONObject = [
            "subject_token": .string(jwt.token), "subject_token_type": .string(type),
        ]
        document["expires_at"] = jwt.expiresAt.map { .integer($0) }
        document["audience"] = audience.map { .string($0) } ?? jwt.claims["aud"]
        document["from"] = .string(origin)
        return document
    }
}

/// Fetches identities: what it asks, and whom for.
package struct IdentityRequest {
    let environment: Environment
    let transport: Transport
    /// Whom the identity is for; nil for the platform's own choice.
    let audience: String?
    /// The account of the platform that is meant, where a workload may be several: an address at Google, a `client_id` at
    /// Azure, a service connection at Azure Pipelines.
    let account: String?
    /// The member that the identity is for; nil for none.
    let member: String?
    /// Where a pod finds the credentials of its service account.
    let serviceAccount: String
    /// When a metadata service that is silent is not waited for any more: where nothing answers soon, there is none.
    private let end: MonotonicTime

    /// How long a metadata service may be silent, in seconds, in all requests together.
    private static let silence = 5

    package init(
        _ environment: Environment, over transport: Transport, for audience: String?, as account: String? = nil,
        of member: String? = nil, serviceAccount: String = "/var/run/secrets/kubernetes.io/serviceaccount"
    ) {
        (self.environment, self.transport) = (environment, transport.patient)
        (self.audience, self.account, self.member, self.serviceAccount) = (audience, account, member, serviceAccount)
        end = transport.world.after(.seconds(Self.silence))
    }

    /// An identity of a platform.
    ///
    /// - Parameter platform: nil for the one that the variables name.
    /// - Throws: exit 8 where the platform gives this job none, exit 9 for one for another audience, exit 6 where it does
    ///   not answer, exit 10 for an answer that is none.
    package func identity(from platform: IdentityPlatform?) -> Attempt<Identity, Failure> {
        attempting { () throws(Failure) in
            let platform =
                if let platform { platform } else { try IdentityPlatform.named(by: environment, or: options) }
            return try text(from: platform).reading { (text) throws(Failure) in
                try identity(
                    text, from: platform.rawValue, as: platform.tokenType, called: platform.noun,
                    isStatic: platform.isStatic)
            }
        }
    }

    /// The identity in a variable.
    ///
    /// - Throws: exit 8 without it, exit 9, exit 10.
    package func identity(inVariable name: String) throws(Failure) -> Identity {
        let text = try variable(name, hint: "the job must set it: in GitLab, id_tokens names it and its aud")
        return try identity(text, from: name, as: WorkloadIdentity.idTokenType, called: name, isStatic: true)
    }

    private func identity(
        _ text: String, from origin: String, as type: String, called noun: String, isStatic: Bool
    ) throws(Failure) -> Identity {
        let jwt = try asFailure(
            WorkloadIdentity(text, for: audience, from: noun, now: transport.world.seconds))
        transport.diagnostics.redactor.add(jwt.token)
        return Identity(jwt: jwt, type: type, origin: origin, isStatic: isStatic)
    }

    private func text(from platform: IdentityPlatform) throws(Failure) -> Attempt<String, Failure> {
        switch platform {
        case .github: try github()
        case .gitlab: .done(.success(try gitlab()))
        case .buildkite: try buildkite()
        case .circleci: try circleci()
        case .azurePipelines: try azurePipelines()
        case .terraform:
            .done(.success(try variable("TFC_WORKLOAD_IDENTITY_TOKEN", hint: hintForTerraform)))
        case .aws: try aws()
        case .azure: try azure()
        case .google: try google()
        case .kubernetes: try kubernetes()
        }
    }

    private var hintForTerraform: String {
        "the workspace needs the variable TFC_WORKLOAD_IDENTITY_AUDIENCE; a token of a tag: \(options.variable)"
    }

    /// What names a platform, and a variable with an identity, in the commands that ask for it.
    var options: (platform: String, variable: String) {
        guard let option = member.map({ Member.option(for: "\($0)_from") }) else {
            return ("--from PLATFORM", "--env NAME")
        }
        return ("\(option) ci:PLATFORM", "\(option) env:NAME in oap login or exchange")
    }
}

extension IdentityRequest {
    /// The value of a variable that the platform sets.
    ///
    /// - Throws: exit 8 without it.
    func variable(_ name: String, hint: String) throws(Failure) -> String {
        guard let text = try environment.value(name) else {
            throw Failure(.loginNeeded, .identityMissing, "\(name) is not set", hint: hint)
        }
        transport.diagnostics.redactor.add(text)
        return text
    }

    /// The values of two variables, of which the platform sets both or none.
    ///
    /// - Parameter missing: why the platform sets none.
    /// - Throws: exit 8 without both.
    func variables(
        _ first: String, _ second: String, of platform: IdentityPlatform, missing: String
    ) throws(Failure) -> (String, String) {
        let (one, other) = (try environment.value(first), try environment.value(second))
        guard let one, let other else {
            let names =
                one == nil && other == nil
                ? "neither \(first) nor \(second) is set" : "only one of \(first) and \(second) is set"
            throw Failure(
                .loginNeeded, .identityMissing, "\(platform.noun) gives this job no identity: \(names)", hint: missing)
        }
        return (one, other)
    }

    /// - Throws: exit 2 without an audience.
    func required(for platform: IdentityPlatform) throws(Failure) -> String {
        guard let audience else {
            throw .usage(
                "an identity of \(platform.noun) is for an audience",
                hint: "--audience AUDIENCE, or identity_audience in a document or a profile")
        }
        return audience
    }

    /// The fields of a request whose content is JSON.
    static func fields(_ authorization: String) -> [HTTPField] {
        [HTTPField("Authorization", authorization), HTTPField("Content-Type", "application/json")]
    }

    /// Asks a platform.
    ///
    /// - Parameters:
    ///   - url: an https URL, or one on loopback or of a metadata service.
    ///   - secret: what the request is sent with, for the redactor.
    ///   - authority: a file of the certificates to trust.
    ///   - passing: further statuses that may pass.
    /// - Throws: exit 9 for a URL that is neither; as ``Transport/asked(_:with:for:pausing:remake:renew:)``.
    func answer(
        _ url: String, method: String = "GET", headers: [HTTPField] = [], body: [UInt8]? = nil,
        secret: String? = nil, isForMetadata: Bool = false, authority: String? = nil, signature: AWSSignature? = nil,
        passing: [Int] = [], by platform: IdentityPlatform
    ) throws(Failure) -> Attempt<HTTPResponse, Failure> {
        if let secret { transport.diagnostics.redactor.add(secret) }
        var request = ServerRequest(
            message: HTTPRequest(method: method, url: url, headers: headers, body: body), withCertificate: false,
            repetition: .always)
        (request.isForMetadata, request.signature, request.answersSecret) = (isForMetadata, signature, true)
        request.passing = passing
        var transport = transport
        if isForMetadata {
            let left = Double(max(end.milliseconds(since: transport.world.now.time), 1000)) / 1000
            request.maximumTime = left
            transport = transport.retrying(changing(transport.lastingRetries) { $0.silence = left })
        }
        if let authority { transport = transport.serving(Document(["cacert_file": .string(authority)])) }
        return try transport.asked(request, for: "fetching the identity of \(platform.noun)").mapFailure {
            let failure = Failure($0, stake: .repeatable)
            return failure.prefixed("the identity of \(platform.noun) cannot be fetched: ")
        }
    }

    /// Runs a program of a platform for the identity that it prints; nil if it is not installed.
    ///
    /// - Throws: exit 8 if it fails, exit 6 if it takes too long, exit 11 if it cannot be executed.
    func output(of words: [String], by platform: IdentityPlatform) -> Attempt<String?, Failure> {
        let program = ChildProgram(
            words, variables: Environment.forOtherPrograms, seconds: 30, limit: SecretText.limit)
        return .run(program) { end in
            switch end {
            case .ended(status: 0, let output): return .done(.success(String(decoding: output, as: UTF8.self)))
            case .ended(let status, _):
                let problem = "\(platform.noun) gives this job no identity: \(words[0]) failed with status \(status)"
                return .done(.failure(Failure(.loginNeeded, .identityMissing, problem)))
            case .notStarted(.noSuchFile): return .done(.success(nil))
            case .notStarted(let error): return .done(.failure(.file("cannot execute \(words[0]): \(error)")))
            case .late:
                let problem = "\(platform.noun) does not answer: \(words[0]) took longer than 30 seconds"
                return .done(.failure(Failure(.unavailable, .timeout, problem)))
            case .tooLong: return .done(.failure(.file("\(words[0]) prints more than an identity")))
            }
        }
    }

    /// The content of a file that the platform keeps fresh.
    ///
    /// - Throws: exit 8 without it, exit 11 for one that cannot be read.
    func file(_ path: String, of platform: IdentityPlatform) throws(Failure) -> String {
        guard (try? FileStatus(at: path)) != nil else {
            throw Failure(
                .loginNeeded, .identityMissing, "\(platform.noun) gives no identity here: \(path) is missing")
        }
        let bytes = try SecretFile.read(path, limit: SecretText.limit, nil)
        return String(decoding: bytes, as: UTF8.self)
    }
}
