internal import Errands
internal import OAuth
internal import Shell
internal import Wire

/// The identity of a workload at AWS: keys that it has, or gets, and a JWT that STS gives for them.
extension IdentityRequest {
    /// Keys of AWS, for a while.
    private struct Keys: Sendable {
        let (id, secret): (String, String)
        let token: String?
    }

    /// AWS (docs.aws.amazon.com, "Outbound identity federation"): the file of IAM roles for service accounts, where it is
    /// for the audience; else `GetWebIdentityToken` of STS, signed with what the workload has.
    func aws() throws(Failure) -> Attempt<String, Failure> {
        let path = try environment.value("AWS_WEB_IDENTITY_TOKEN_FILE")
        var text: String?
        if let path { text = try file(path, of: .aws) }
        if let text {
            let audience = audience ?? "sts.amazonaws.com"
            let own = try? WorkloadIdentity(text, for: audience, from: "", now: transport.world.seconds)
            if own != nil || self.audience == nil { return .done(.success(text)) }
        }
        let audience = try required(for: .aws)
        let regions = [try environment.value("AWS_REGION"), try environment.value("AWS_DEFAULT_REGION")]
        guard let region = regions.compactMap(\.self).first else {
            throw Failure(
                .loginNeeded, .identityMissing, "neither AWS_REGION nor AWS_DEFAULT_REGION is set",
                hint: "the endpoint of STS that gives identities is that of a region")
        }
        guard region.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }) else {
            throw Failure(.badInput, .usage, "AWS_REGION is not a name such as eu-central-1")
        }
        return try ownKeys(text).onward { (keys: Keys) throws(Failure) in
            try identity(for: audience, in: region, with: keys)
        }
    }

    private func identity(
        for audience: String, in region: String, with keys: Keys
    ) throws(Failure) -> Attempt<String, Failure> {
        let action = "GetWebIdentityToken"
        let endpoint = try sts(in: region)
        let parameters: [(name: String, value: String)] = [
            ("Action", action), ("Version", "2011-06-15"), ("Audience.member.1", audience),
            ("SigningAlgorithm", "RS256"), ("DurationSeconds", "300"),
        ]
        let session = keys.token.map { [HTTPField("X-Amz-Security-Token", $0)] } ?? []
        return try answer(
            endpoint.url.text, method: "POST", headers: STSAnswer.fields + session,
            body: Array(FormEncoding.encode(parameters + STSAnswer.parameters).utf8),
            signature: AWSSignature(region: region, service: "sts", keyID: keys.id, secret: keys.secret), by: .aws
        ).reading { (response) throws(Failure) in
            let result: JSONObject
            do throws(OAuthError) {
                result = try STSAnswer.result(of: action, in: response, from: endpoint)
            } catch {
                throw Failure(error.kind == .oauth ? changing(error) { $0.kind = .identityMissing } : error)
            }
            guard let text = result["WebIdentityToken"]?.string else {
                throw Failure(.badAnswer, .invalidResponse, "the answer of STS has no WebIdentityToken")
            }
            return text
        }
    }

    private func sts(in region: String) throws(Failure) -> Endpoint {
        if let own = try ownEndpoint() { return own }
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return try asFailure(Endpoint("https://sts.\(region).\(domain)/", name: "AWS_REGION"))
    }

    /// The endpoint of the variables (docs.aws.amazon.com, "Service-specific endpoints").
    ///
    /// - Throws: exit 9 for plain http to another machine.
    private func ownEndpoint() throws(Failure) -> Endpoint? {
        guard try environment.value("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")?.asciiLowercased != "true" else {
            return nil
        }
        for name in ["AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"] {
            if let own = try environment.value(name) { return try asFailure(Endpoint(own, name: name)) }
        }
        return nil
    }

    /// The keys of the workload: of the variables, of the role of a web identity, of the container, of the machine.
    private func ownKeys(_ identity: String?) throws(Failure) -> Attempt<Keys, Failure> {
        let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
        if names.contains(where: environment.isSet) {
            let (id, secret) = try variables(
                names[0], names[1], of: .aws, missing: "keys are an identifier and a secret")
            return .done(
                .success(learned(Keys(id: id, secret: secret, token: try environment.value("AWS_SESSION_TOKEN")))))
        }
        if let identity { return try keysOfRole(identity) }
        let (relative, full) = (
            try environment.value("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
            try environment.value("AWS_CONTAINER_CREDENTIALS_FULL_URI")
        )
        if let address = relative.map({ "http://169.254.170.2\($0)" }) ?? full {
            var token = try environment.value("AWS_CONTAINER_AUTHORIZATION_TOKEN")
            if let path = try environment.value("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
                token = try file(path, of: .aws).split(whereSeparator: \.isNewline).first.map(String.init)
            }
            return try answer(
                address, headers: token.map { [HTTPField("Authorization", $0)] } ?? [], secret: token,
                isForMetadata: true, by: .aws
            ).reading(keys)
        }
        return try keysOfMachine()
    }

    /// The keys of the role that trusts the cluster of the pod.
    private func keysOfRole(_ identity: String) throws(Failure) -> Attempt<Keys, Failure> {
        let arn = try variable("AWS_ROLE_ARN", hint: "the service account of the pod needs the annotation of a role")
        let session = try environment.value("AWS_ROLE_SESSION_NAME") ?? "oap"
        let (region, own) = (try environment.value("AWS_REGION"), try ownEndpoint()?.url.text)
        let role = try asFailure(
            WebIdentityRole(arn: arn, session: session, duration: nil, region: region, endpoint: own))
        let request = role.request(with: identity.split(whereSeparator: \.isWhitespace).joined())
        return try answer(
            request.url, method: request.method, headers: request.headers, body: request.body, secret: identity,
            by: .aws
        ).reading { (response) throws(Failure) in
            let given = try asFailure(role.credentials(response))
            return try keys(in: given, token: "SessionToken")
        }
    }

    /// The keys of the role of a virtual machine, by version 2 of its metadata service.
    private func keysOfMachine() throws(Failure) -> Attempt<Keys, Failure> {
        guard try environment.value("AWS_EC2_METADATA_DISABLED")?.asciiLowercased != "true" else {
            throw Failure(
                .loginNeeded, .identityMissing, "no keys of AWS are known, and AWS_EC2_METADATA_DISABLED is set")
        }
        var base = try environment.value("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? "http://169.254.169.254"
        if base.hasSuffix("/") { base.removeLast() }
        let (place, role) = ("\(base)/latest/meta-data/iam/security-credentials/", "the metadata service of AWS")
        return try answer(
            "\(base)/latest/api/token", method: "PUT",
            headers: [HTTPField("X-aws-ec2-metadata-token-ttl-seconds", "60")],
            isForMetadata: true, by: .aws
        ).onward { (response) throws(Failure) in
            let token = try asFailure(WorkloadIdentity.text(of: response, of: role))
            let field = HTTPField("X-aws-ec2-metadata-token", token)
            return try answer(place, headers: [field], secret: token, isForMetadata: true, by: .aws).onward {
                (response) throws(Failure) in
                let names = try asFailure(WorkloadIdentity.text(of: response, of: role))
                guard let name = names.split(whereSeparator: \.isNewline).first else {
                    throw Failure(.loginNeeded, .identityMissing, "the machine has no role at AWS")
                }
                return try answer(
                    place + FormEncoding.encode(String(name)), headers: [field], isForMetadata: true, by: .aws
                )
                .reading(keys)
            }
        }
    }

    private func keys(_ response: HTTPResponse) throws(Failure) -> Keys {
        let role = "the credentials endpoint of AWS"
        _ = try asFailure(WorkloadIdentity.text(at: ["AccessKeyId"], in: response, of: role))
        let members = (try? JSON(parsing: response.body, depth: JSON.maximumDepthOfPart))?.object ?? [:]
        return try keys(in: members, token: "Token")
    }

    private func keys(in members: JSONObject, token: String) throws(Failure) -> Keys {
        guard let id = members["AccessKeyId"]?.string, let secret = members["SecretAccessKey"]?.string else {
            throw Failure(.badAnswer, .invalidResponse, "the answer of AWS has no keys")
        }
        return learned(Keys(id: id, secret: secret, token: members[token]?.string))
    }

    private func learned(_ keys: Keys) -> Keys {
        for text in [keys.secret, keys.token].compactMap(\.self) { transport.diagnostics.redactor.add(text) }
        return keys
    }
}
