internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option(
        "resource", section: "Request", summary: "the URL is that of an API or an MCP server",
        details: """
            The operand is the URL of an API or an MCP server, the resource. The metadata of the resource names its \
            authorization server (RFC 9728). The address of this metadata is in the resource's response to a request \
            without a token. If it is not there, the address is made from the URL.
            """)
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource",
        details: "Chooses this authorization server if the resource names several.")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names",
        details: """
            The `issuer` in the metadata must equal this issuer, instead of the operand. This is for a server that \
            publishes its metadata at an address that does not belong to its issuer, as some servers with several \
            tenants do.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        let search = MetadataSearch(
            over: session.transport, cache: try session.transport.cache(), asksAll: !arguments.has(resource))
        let output = try session.output()
        let url = arguments.operand(0) ?? ""
        guard arguments.has(resource) else {
            guard !arguments.has(authorizationServer) else { throw .usage("--authorization-server needs --resource") }
            let discovery = try lift(try ServerDiscovery(url, expecting: arguments.value(expectedIssuer)))
            let metadata: ServerMetadata
            do throws(Failure) {
                metadata = try search.server(discovery)
            } catch {
                throw error.explained(for: url, "oap discover", "--resource ")
            }
            return try output.finish(metadata.members)
        }
        let discovery = try lift(try ResourceDiscovery(url))
        let client = try search.client(
            of: discovery, choosing: arguments.value(authorizationServer), expecting: arguments.value(expectedIssuer)
        ).members
        return try output.finish(client)
    }

    /// The command.
    static let command = Command(
        "discover", section: "Set up", summary: "find the endpoints of a server by its address",
        description: """
            Prints the metadata of an authorization server. To use it as a client document, add your `client_id`.

            The metadata is searched at three addresses. For the issuer `https://as.example/t` these are, in this \
            order, `https://as.example/t/.well-known/openid-configuration` (OpenID Connect Discovery section 4), \
            `https://as.example/.well-known/oauth-authorization-server/t` (RFC 8414 section 3) and \
            `https://as.example/.well-known/openid-configuration/t` (RFC 8414 section 5). Some servers list an \
            endpoint in only one of these documents, so all documents that are found are merged. A member that several \
            documents have is taken from the first of them. If the operand is the address of a metadata document, only \
            this document is fetched. Other commands that need metadata stop at the first document that has the \
            members that they need.

            The `issuer` in the metadata must equal the operand, character by character. If the operand is a host name \
            or the address of a metadata document, there is no issuer to compare with. In this case, the three \
            addresses are formed from the `issuer` in the metadata, and one of them must be the address of the \
            metadata. Redirects are not followed.

            Members that a server must not set, such as `client_id`, `api_base` and paths of files, are removed from \
            the metadata with a warning. An endpoint that cannot be used, for example because it is on plain http, \
            causes a warning too. With `-v`, a message names each endpoint that is at another host than the issuer.

            With `--resource`, the document also has the members `resource`, `api_base` and `scope`. The `scope` is \
            the one in the resource's response to a request without a token (`WWW-Authenticate`). If there is none, it \
            has all scope values in the metadata of the resource. `offline_access` is added if the authorization \
            server lists it. The request without a token is a GET. If the resource does not accept GET, the request \
            `ping` of the Model Context Protocol (MCP) is sent instead. For the authorization server of a resource, \
            the other two addresses are tried before `https://as.example/t/.well-known/openid-configuration`, and the \
            search ends at the first document that is found.

            A resource without metadata, such as an MCP server of the version 2025-03-26, is assumed to have its \
            authorization server at its own origin. If there is no metadata of that server either, and the resource \
            requires a token, the endpoints `/authorize`, `/token` and `/register` of the origin are assumed. In both \
            cases a warning is printed.
            """,
        operands: [
            Operand(
                "URL", summary: "the server's address",
                details: """
                    The issuer, a host name, or the address of a metadata document. With `--resource`, it is the \
                    address of an API or an MCP server.
                    """)
        ],
        options: [resource, authorizationServer, expectedIssuer, GeneralOption.cache] + OutputOption.allAndStrict
            + GeneralOption.transport + [GeneralOption.dryRun],
        examples: [
            Example(
                "Print the path of a server's token endpoint.",
                command: "oap discover \"$OAP_ISSUER\" --jq .token_endpoint -r | cut -d / -f 4", output: "token"),
            Example(
                "Make a login URL if only the address of the server is known.",
                command: """
                    oap discover "$OAP_ISSUER" |
                        oap authurl --client-id Iv1.x --scope openid --jq .authorization_url -r
                    """),
            Example(
                "Fetch the metadata at most once a day, in a job that runs more often.",
                command: """
                    oap discover "$OAP_ISSUER" --cache 86400 |
                        oap exchange --grant client_credentials --jq .token_type -r
                    """, output: "Bearer"),
        ], seeAlso: [ManualReference("oap-provider", 1), ManualReference("oap-authurl", 1)], run: run)
}

extension Failure {
    /// The failure to find the metadata of a server, with what its address may need instead.
    ///
    /// - Parameters:
    ///   - command: the command that asks for an address.
    ///   - resource: its option for the address of a resource.
    func explained(for address: String, _ command: String, _ resource: String) -> Failure {
        var failure = self
        let text = address.isPlainWord ? address : "URL"
        if exit == .unavailable, !address.contains("://"), WebURL("http://\(address)")?.isLoopback == true {
            failure.hint = "without a scheme the address is https: \(command) http://\(text) asks over plain http"
        } else if exit == .badAnswer, httpStatus != nil || kind == .notJSON {
            failure.hint = "if that is an API or an MCP server: \(command) \(resource)\(text); -v shows what was asked"
        }
        return failure
    }
}
