internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option(
        "resource", section: "Request", summary: "the URL is that of an API or an MCP server",
        details: """
            The authorization server is the one that the metadata of the resource names (RFC 9728). Its address is in \
            the answer to a request without a token, or follows from the URL.
            """)
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource",
        details: "Chooses one where the resource names several authorization servers.")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names",
        details: """
            For servers whose metadata is at another address than their issuer's, as with several tenants. Without it, \
            the issuer must be the one that was asked for, character by character.
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
            Prints the metadata of an authorization server, a client document without a client: add your `client_id`. \
            Asked are, in this order, the issuer with `/.well-known/openid-configuration` appended (OpenID Connect \
            Discovery section 4), and `/.well-known/oauth-authorization-server` and `/.well-known/openid-configuration` \
            between host and path (RFC 8414 sections 3 and 5). Some servers list an endpoint in one document only, so all \
            that are found are merged: the first that has a member counts. The address of a document is asked alone. Other \
            commands stop at the first document that has what they need.

            The issuer in the metadata must be the one that was asked for, character by character. For a host name or the \
            address of a document, it must be one whose metadata is at that address. No redirect is followed. Members that \
            would steer the client, such as `client_id`, `api_base` and names of files, are dropped with a warning. An \
            endpoint to which no request can go, such as one on plain http, is a warning too; `-v` names those at another \
            host than the issuer.

            With `--resource`, the document has the members `resource` and `api_base` too, and as `scope` what the \
            resource asks for: the scope of its challenge, else all of its metadata; with `offline_access` where the \
            authorization server lists that. The addresses between host and path are asked first, until one has \
            metadata. A resource that answers no GET is sent the request `ping` of the Model Context Protocol.

            A resource without metadata, as MCP servers of 2025-03-26 are, is taken for its own authorization server. Where \
            that has no metadata either, and the resource wants a token, the endpoints `/authorize`, `/token` and \
            `/register` of its origin are assumed. Both are warnings.
            """,
        operands: [
            Operand(
                "URL", summary: "the server's address",
                details: """
                    The issuer, a host name, or the address of a metadata document; with `--resource` the address \
                    of an API or an MCP server.
                    """)
        ],
        options: [resource, authorizationServer, expectedIssuer, GeneralOption.cache] + OutputOption.allAndStrict
            + GeneralOption.transport + [GeneralOption.dryRun],
        examples: [
            Example(
                "The endpoint for tokens of a server.",
                command: "oap discover \"$OAP_ISSUER\" --jq .token_endpoint -r | cut -d / -f 4", output: "token"),
            Example(
                "Log in with nothing but the address of a server.",
                command: """
                    oap discover "$OAP_ISSUER" |
                        oap authurl --client-id Iv1.x --scope openid --jq .authorization_url -r
                    """),
            Example(
                "Many jobs a day, which ask for the metadata once.",
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
        let text = address.utf8.allSatisfy { $0.isASCIILetterOrDigit || ":._/-".utf8.contains($0) } ? address : "URL"
        if exit == .unavailable, !address.contains("://"), WebURL("http://\(address)")?.isLoopback == true {
            failure.hint = "without a scheme the address is https: \(command) http://\(text) asks over plain http"
        } else if exit == .badAnswer, httpStatus != nil || kind == .notJSON {
            failure.hint = "if that is an API or an MCP server: \(command) \(resource)\(text); -v shows what was asked"
        }
        return failure
    }
}
