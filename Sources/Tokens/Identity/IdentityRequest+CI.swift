internal import Calls
internal import Errands
internal import OAuth
internal import Shell
internal import Wire

extension RetryPolicy {
    /// The pauses before a job that is pending is asked for again, in seconds.
    fileprivate var pausesOfJob: [Double] {
        var passed = 0.0
        return [1, 2, 4, 8].prefix(limit).map { delay ?? $0 }.prefix { pause in
            passed += pause
            return passed <= min(maximumTime, 1e6)
        }
    }
}

/// The identities of CI jobs.
extension IdentityRequest {
    /// GitHub Actions (docs.github.com, "OpenID Connect reference"). A job that has just begun may still be pending there.
    func github() throws(Failure) -> Attempt<String, Failure> {
        let (address, token) = try variables(
            "ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", of: .github,
            missing: "the job needs the permission id-token: write; a pull request from a fork gets no identity")
        _ = try asFailure(Endpoint(address, name: "ACTIONS_ID_TOKEN_REQUEST_URL"))
        let url = audience.flatMap { WebURL(address)?.adding([("audience", $0)]) } ?? address
        let (role, pauses) = ("the identity endpoint of GitHub", transport.lastingRetries.pausesOfJob)
        func asked(_ number: Int) throws(Failure) -> Attempt<String, Failure> {
            try answer(url, headers: [HTTPField("Authorization", "bearer \(token)")], secret: token, by: .github)
                .onward { (response) throws(Failure) in
                    let isPending =
                        response.head.status == 403
                        && String(decoding: response.body.prefix(4096), as: UTF8.self).asciiLowercased
                            .contains("pending")
                    guard isPending, number < pauses.count else {
                        return .done(
                            .success(try asFailure(WorkloadIdentity.text(at: ["value"], in: response, of: role))))
                    }
                    transport.diagnostics.tell(
                        """
                        fetching the identity of GitHub Actions: the job is pending there; trying again in \
                        \(pauses[number]) s (\(number + 1) of \(pauses.count))
                        """)
                    return .pause(until: transport.world.after(.milliseconds(Int64(pauses[number] * 1000)))) {
                        attempting { () throws(Failure) in try asked(number + 1) }
                    }
                }
        }
        return try asked(0)
    }

    /// GitLab (docs.gitlab.com, "OpenID Connect (OIDC) authentication using ID tokens"): the job itself names the variable.
    /// The name here is that of sigstore's clients, else one that is known by the clients of a target.
    func gitlab() throws(Failure) -> String {
        let audience = try required(for: .gitlab)
        var name = String(
            decoding: audience.utf8.map { byte in
                byte.isASCIILetterOrDigit
                    ? (0x61...0x7A).contains(byte) ? byte - 0x20 : byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        if name.utf8.first.map({ (0x30...0x39).contains($0) }) == true { name = "_\(name)" }
        let known = ["NPM_ID_TOKEN", "PYPI_ID_TOKEN", "SIGSTORE_ID_TOKEN"]
        let other = environment.isSet("\(name)_ID_TOKEN") ? nil : known.first { holdsIdentity($0, for: audience) }
        return try variable(
            other ?? "\(name)_ID_TOKEN",
            hint: """
                in .gitlab-ci.yml: id_tokens: {\(name)_ID_TOKEN: {aud: \(JSON.string(audience).text)}}; for a variable \
                of another name: \(options.variable)
                """)
    }

    private func holdsIdentity(_ name: String, for audience: String) -> Bool {
        guard let text = try? environment.value(name) else { return false }
        return (try? WorkloadIdentity(text, for: audience, from: name, now: transport.world.seconds)) != nil
    }

    /// Buildkite (buildkite.com/docs, "buildkite-agent oidc"): by its program, or by the API behind it where a container
    /// lacks that.
    func buildkite() throws(Failure) -> Attempt<String, Failure> {
        let audience = try required(for: .buildkite)
        let program = ["buildkite-agent", "oidc", "request-token", "--audience", audience]
        return output(of: program, by: .buildkite).onward { (text) throws(Failure) in
            if let text { return .done(.success(text)) }
            let (job, token) = try variables(
                "BUILDKITE_JOB_ID", "BUILDKITE_AGENT_ACCESS_TOKEN", of: .buildkite,
                missing: "make buildkite-agent available, in a container with mount-buildkite-agent: true")
            let base = try environment.value("BUILDKITE_AGENT_ENDPOINT") ?? "https://agent.buildkite.com/v3"
            _ = try asFailure(Endpoint(base, name: "BUILDKITE_AGENT_ENDPOINT"))
            let body: JSONObject = ["audience": .string(audience)]
            return try answer(
                "\(base)/jobs/\(FormEncoding.encode(job))/oidc/tokens", method: "POST",
                headers: Self.fields("Token \(token)"), body: JSON.object(body).bytes, secret: token, by: .buildkite
            ).reading { (response) throws(Failure) in
                try asFailure(WorkloadIdentity.text(at: ["token"], in: response, of: "the agent API of Buildkite"))
            }
        }
    }

    /// CircleCI (circleci.com/docs, "Using OpenID Connect tokens in jobs"): by its program; the variables have an audience
    /// of their own.
    func circleci() throws(Failure) -> Attempt<String, Failure> {
        let claims: JSONObject = ["aud": .string(try required(for: .circleci))]
        let program = ["circleci", "run", "oidc", "get", "--claims", JSON.object(claims).text]
        return output(of: program, by: .circleci).reading { (text) throws(Failure) in
            if let text { return text }
            let names = ["CIRCLE_OIDC_TOKEN_V2", "CIRCLE_OIDC_TOKEN"]
            return try variable(
                names.first(where: environment.isSet) ?? names[0],
                hint: "the job needs a context, and for an audience of its own the program circleci")
        }
    }

    /// Azure Pipelines (learn.microsoft.com, "Oidctoken - Create"): the audience is always that of Entra ID.
    func azurePipelines() throws(Failure) -> Attempt<String, Failure> {
        let (address, token) = try variables(
            "SYSTEM_OIDCREQUESTURI", "SYSTEM_ACCESSTOKEN", of: .azurePipelines,
            missing: "the step must map the token: env: {SYSTEM_ACCESSTOKEN: $(System.AccessToken)}")
        _ = try asFailure(Endpoint(address, name: "SYSTEM_OIDCREQUESTURI"))
        let names = ["AZURESUBSCRIPTION_SERVICE_CONNECTION_ID", "ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID"]
        let connection: String
        if let account {
            connection = account
        } else {
            connection = try variable(
                names.first(where: environment.isSet) ?? names[0],
                hint: "the identity is that of a service connection: --account ID names one")
        }
        let query = [(name: "api-version", value: "7.1"), ("serviceConnectionId", connection)]
        return try answer(
            WebURL(address)?.adding(query) ?? address, method: "POST",
            // Without the last one a refusal is a redirect to a page to sign in.
            headers: Self.fields("Bearer \(token)") + [HTTPField("X-TFS-FedAuthRedirect", "Suppress")], secret: token,
            by: .azurePipelines
        ).reading { (response) throws(Failure) in
            try asFailure(WorkloadIdentity.text(at: ["oidcToken"], in: response, of: "the server of Azure Pipelines"))
        }
    }
}
