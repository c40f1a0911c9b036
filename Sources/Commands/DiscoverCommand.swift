internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option(
        "resource", section: "Request", summary: "the URL is that of an API or an MCP server",
        details: """
            Takes the operand as the URL of a resource (an API or an MCP server). The metadata of the resource \
            names its authorization server (RFC 9728). To find this metadata, `oap` sends a request without a token to \
            the resource. If the response does not contain the address of the metadata, `oap` forms this address from \
            the URL of the resource.
            """)
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource",
        details: "Chooses this authorization server if the resource names several.")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names",
        details: """
            The `issuer` in the metadata must equal this issuer. Without this option, it must equal the operand. Use \
            this option if the server publishes its metadata at an address that is not formed from its issuer. Some \
            servers with several tenants do so.
            """)

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        let search = MetadataSearch(
            session, cache: try session.transport.cache(), asksAll: !arguments.has(resource))
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
            Prints the metadata of an authorization server. To use the printed document as a client document, add your \
            `client_id`.

            `oap` looks for the metadata at three addresses. For the issuer `https://as.example/t`, it tries in this \
            order: `https://as.example/t/.well-known/openid-configuration` (OpenID Connect Discovery section 4), \
            `https://as.example/.well-known/oauth-authorization-server/t` (RFC 8414 section 3) and \
            `https://as.example/.well-known/openid-configuration/t` (RFC 8414 section 5). Some servers list an \
            endpoint in only one of these documents, so `oap discover` merges all documents that it finds. If several \
            documents have the same member, the value comes from the first of these documents. If the operand is the \
            address of a metadata document, `oap` fetches only this document. Other commands that need metadata end \
            the search when they have found the needed members.

            The `issuer` in the metadata must equal the operand, character by character. If the operand is a host name \
            or the address of a metadata document, it names no issuer. In this case, `oap` checks the `issuer` in \
            another way: it forms the three addresses from this `issuer`, and the metadata must come from one of them. \
            `oap` does not follow redirects.

            If the metadata has members that a server must not set, such as `client_id`, `api_base` and paths of \
            files, `oap` removes them and prints a warning. A warning also names each endpoint that `oap` cannot use, \
            such as an endpoint on plain http. If an endpoint has another host or port than the issuer, a message with \
            `-v` names the endpoint.

            With `--resource`, the printed document also has the members `resource`, `api_base` and `scope`. `oap` \
            sends a GET request without a token to the resource. If the resource does not accept GET, `oap` sends the \
            request `ping` of the Model Context Protocol (MCP) instead. If the response has a `scope` in \
            `WWW-Authenticate`, `oap` uses this `scope`. Otherwise, the `scope` has all scope values in the metadata \
            of the resource. If the authorization server lists the scope value `offline_access`, `oap` adds this \
            value. With `--resource`, `oap` ends the search for the metadata of the authorization server at the first \
            document that it finds. Of the three addresses, it tries the one that ends with \
            `/.well-known/openid-configuration` last.

            Some resources have no metadata, for example MCP servers that follow version 2025-03-26 of the protocol. \
            In this case, `oap` assumes that the authorization server is at the origin of the resource. If no metadata \
            is found at this origin and the resource requires a token, `oap` assumes the endpoints `/authorize`, \
            `/token` and `/register` of the origin. A warning tells what `oap` assumes.
            """,
        operands: [
            Operand(
                "URL", summary: "the server's address",
                details: """
                    The issuer, a host name, or the address of a metadata document. With `--resource`, the URL of an \
                    API or an MCP server.
                    """)
        ],
        options: [resource, authorizationServer, expectedIssuer, GeneralOption.cache] + OutputOption.allAndStrict
            + GeneralOption.transport + [GeneralOption.dryRun],
        refused: [RefusedOption(foreign: "issuer", hint: "the URL is an operand: oap discover URL")],
        examples: [
            Example(
                "Print the path of a server's token endpoint.",
                command: "oap discover \"$OAP_ISSUER\" --jq .token_endpoint -r | cut -d / -f 4", output: "token"),
            Example(
                "Find the endpoints of a server, and make a login URL.",
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
            failure.hint = """
                if the address is that of an API or an MCP server: \(command) \(resource)\(text); add -v to see the \
                addresses that oap asked
                """
        }
        return failure
    }
}
