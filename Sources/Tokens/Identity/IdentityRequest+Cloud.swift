internal import Errands
internal import OAuth
internal import Shell
internal import Wire

/// The identities of workloads in a cloud.
extension IdentityRequest {
    /// Google Cloud (cloud.google.com, "Verifying the identity of instances"): by the metadata service; that of another
    /// account by the IAM Service Account Credentials API.
    func google() throws(Failure) -> Attempt<String, Failure> {
        let audience = try required(for: .google)
        let host = try environment.value("GCE_METADATA_HOST") ?? "metadata.google.internal"
        let base = "http://\(host)/computeMetadata/v1/instance/service-accounts/default"
        func metadata(_ path: String) throws(Failure) -> Attempt<HTTPResponse, Failure> {
            try answer(
                "\(base)/\(path)", headers: [HTTPField("Metadata-Flavor", "Google")], isForMetadata: true, by: .google
            ).reading { (response) throws(Failure) in
                guard response.head.headers.first("Metadata-Flavor") == "Google" else {
                    throw Failure(
                        .badAnswer, .invalidResponse, "what answers at \(host) is not the metadata service of Google")
                }
                return response
            }
        }
        guard let account, account != "default" else {
            let query = FormEncoding.encode([(name: "audience", value: audience), ("format", "full")])
            return try metadata("identity?\(query)").reading { (response) throws(Failure) in
                try asFailure(WorkloadIdentity.text(of: response, of: "the metadata service of Google"))
            }
        }
        let place = "CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS"
        var api = try environment.value(place) ?? "https://iamcredentials.googleapis.com/"
        if !api.hasSuffix("/") { api += "/" }
        _ = try asFailure(Endpoint(api, name: place))
        let body: JSONObject = ["audience": .string(audience), "includeEmail": .bool(true)]
        return try metadata("token").onward { (response) throws(Failure) in
            let own = try asFailure(
                WorkloadIdentity.text(at: ["access_token"], in: response, of: "the metadata service of Google"))
            return try answer(
                "\(api)v1/projects/-/serviceAccounts/\(FormEncoding.encode(account)):generateIdToken", method: "POST",
                headers: Self.fields("Bearer \(own)"), body: JSON.object(body).bytes, secret: own, by: .google
            ).reading { (response) throws(Failure) in
                try asFailure(
                    WorkloadIdentity.text(
                        at: ["token"], in: response, of: "the IAM Service Account Credentials API of Google"))
            }
        }
    }

    /// Azure (learn.microsoft.com): the file of workload identity, else the endpoint of App Service, else that of virtual
    /// machines. The token of the last two is an access token for the audience.
    func azure() throws(Failure) -> Attempt<String, Failure> {
        if let path = try environment.value("AZURE_FEDERATED_TOKEN_FILE") {
            return .done(.success(try file(path, of: .azure)))
        }
        let audience = try required(for: .azure)
        var query = [(name: "resource", value: audience)]
        let client = try environment.value("AZURE_CLIENT_ID")
        if let client = account ?? client { query.append(("client_id", client)) }
        let base: String
        let field: HTTPField
        var passing: [Int] = []
        if environment.isSet("IDENTITY_ENDPOINT") || environment.isSet("IDENTITY_HEADER") {
            let (address, secret) = try variables(
                "IDENTITY_ENDPOINT", "IDENTITY_HEADER", of: .azure, missing: "the app needs a managed identity")
            (base, field) = (address, HTTPField("X-IDENTITY-HEADER", secret))
            transport.diagnostics.redactor.add(secret)
            query.insert(("api-version", "2019-08-01"), at: 0)
        } else {
            let host = try environment.value("AZURE_POD_IDENTITY_AUTHORITY_HOST") ?? "http://169.254.169.254"
            (base, field) = ("\(host)/metadata/identity/oauth2/token", HTTPField("Metadata", "true"))
            query.insert(("api-version", "2018-02-01"), at: 0)
            // While the service is being updated (learn.microsoft.com, "How to use managed identities", Error handling).
            passing = [404, 410]
        }
        return try answer(
            WebURL(base)?.adding(query) ?? base, headers: [field], isForMetadata: true, passing: passing, by: .azure
        ).reading { (response) throws(Failure) in
            guard !passing.contains(response.head.status) else {
                throw Failure(
                    .unavailable, .httpStatus, "the identity endpoint of Azure answered \(response.head.status)",
                    hint: "it may be in an update, which ends within 70 seconds")
            }
            return try asFailure(
                WorkloadIdentity.text(at: ["access_token"], in: response, of: "the identity endpoint of Azure"))
        }
    }

    /// Kubernetes (kubernetes.io, "Service Accounts"): the token in the file of the pod; one for another audience by the
    /// TokenRequest API, for the account of that token.
    func kubernetes() throws(Failure) -> Attempt<String, Failure> {
        let (folder, path) = (serviceAccount, "\(serviceAccount)/token")
        let text = try file(path, of: .kubernetes)
        let own = try asFailure(
            WorkloadIdentity(text, for: nil, from: path, now: transport.world.seconds))
        transport.diagnostics.redactor.add(own.token)
        let named = own.claims["aud"]?.string.map { [$0] } ?? own.claims["aud"]?.strings ?? []
        guard let audience, !named.contains(audience) else { return .done(.success(own.token)) }
        let (host, port) = try variables(
            "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", of: .kubernetes, missing: "this is no pod")
        let parts = (own.claims["sub"]?.string ?? "").split(separator: ":").map(String.init)
        guard parts.count == 4, parts[0] == "system", parts[1] == "serviceaccount" else {
            throw Failure(.badAnswer, .invalidResponse, "\(path) is not the token of a service account")
        }
        let spec: JSONObject = ["audiences": .strings([audience]), "expirationSeconds": .integer(600)]
        let body: JSONObject = [
            "apiVersion": .string("authentication.k8s.io/v1"), "kind": .string("TokenRequest"), "spec": .object(spec),
        ]
        let server = "https://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        return try answer(
            "\(server)/api/v1/namespaces/\(parts[2])/serviceaccounts/\(parts[3])/token", method: "POST",
            headers: Self.fields("Bearer \(own.token)"), body: JSON.object(body).bytes, authority: "\(folder)/ca.crt",
            by: .kubernetes
        ).reading { (response) throws(Failure) in
            try asFailure(
                WorkloadIdentity.text(at: ["status", "token"], in: response, of: "the API server of Kubernetes"))
        }
    }
}
