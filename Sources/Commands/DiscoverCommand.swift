internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option(
        "resource", section: "Request", summary: "the URL is that of an API or an MCP server",
        details: """
            Takes the URL as that of an API or an MCP server, whose metadata names the authorization server (RFC \
            9728). The resource names the address of its metadata in its answer to a request without a token; \
            otherwise the address follows from the URL.
            """)
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource",
        details: "Chooses this authorization server if the resource names several.")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names",
        details: """
            Expects this issuer in the metadata, for a server that publishes its metadata at another address than its \
            issuer, as some do for several tenants. Without this option, the issuer must be the one that was asked \
            for, character by character.
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
            Prints the metadata of an authorization server. It is a client document that lacks only the client: add \
            your `client_id`. Three addresses are asked, in this order: the issuer with \
            `/.well-known/openid-configuration` appended (OpenID Connect Discovery section 4), then with \
            `/.well-known/oauth-authorization-server` and with `/.well-known/openid-configuration` between host and \
            path (RFC 8414 sections 3 and 5). Some servers list an endpoint in one document only, so all documents \
            that are found are merged; a member that several have is taken from the first. If the operand is the \
            address of a document, only that is asked. Other commands stop at the first document that has what they \
            need.

            The issuer in the metadata must be the one that was asked for, character by character. A host name and \
            the address of a document name no issuer to compare with. Then the issuer in the metadata must be one whose \
            metadata address is the address that was asked. \
            No redirect is followed. Members that would steer the client, such as `client_id`, `api_base` and names of \
            files, are dropped with a warning. An endpoint that cannot be used, such as one on plain http, causes a \
            warning too. `-v` names the endpoints that are at another host than the issuer.

            With `--resource`, the document also has the members `resource` and `api_base`, and as `scope` what the \
            resource asks for: the scope in its challenge (`WWW-Authenticate`), or else all scope values in its \
            metadata. `offline_access` is added if the authorization server lists it. The addresses with \
            `/.well-known/…` between host and path are tried first, in turn, until one returns metadata. If the \
            resource does not answer a GET, it is sent the request `ping` of the Model Context Protocol.

            A resource without metadata, such as an MCP server of the version 2025-03-26, is assumed to be its own \
            authorization server. If that has no metadata either, and the resource requires a token, the endpoints \
            `/authorize`, `/token` and `/register` of its origin are assumed. In both cases a warning says so.
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
                "The path of a server's token endpoint.",
                command: "oap discover \"$OAP_ISSUER\" --jq .token_endpoint -r | cut -d / -f 4", output: "token"),
            Example(
                "The URL to log in, for a client and the address of its server.",
                command: """
                    oap discover "$OAP_ISSUER" |
                        oap authurl --client-id Iv1.x --scope openid --jq .authorization_url -r
                    """),
            Example(
                "In a job that runs often: the metadata is fetched once a day.",
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
