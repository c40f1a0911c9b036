internal import CommandSpec
internal import Engine
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option("resource", section: "Request", summary: "the URL is that of an API or an MCP server")
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (url, issuer) = (arguments.operand(0) ?? "", arguments.value(expectedIssuer))
        let (engine, transport) = (session.engine, session.transport)
        let search = Discovery(
            transport: transport, cache: transport.cache, asksAll: !arguments.has(resource))
        let output = try session.output()
        guard arguments.has(resource) else {
            let discovery = try asFailure(ServerDiscovery(url, expecting: issuer))
            let metadata: ServerMetadata
            do throws(ServerFault) {
                metadata = try engine.run(search.server(discovery))
            } catch {
                throw Failure(error, hint: error.hint(for: url, "oap discover", "--resource "))
            }
            return try output.finish(metadata.members)
        }
        let choice = arguments.value(authorizationServer)
        return try output.finish(try client(of: url, choosing: choice, expecting: issuer, by: search, engine))
    }

    /// The client document for a resource.
    private static func client(
        of url: String, choosing choice: String?, expecting issuer: String?, by search: Discovery, _ engine: Engine
    ) throws(Failure) -> JSONObject {
        let client = search.client(
            of: try asFailure(ResourceDiscovery(url)), choosing: choice, expecting: issuer)
        do throws(ServerFault) {
            return try engine.run(client).members
        } catch {
            guard case .issuer(let issuer) = error.error?.cause, issuer.isPlainWord, url.isPlainWord else {
                throw Failure(error)
            }
            let command = "oap discover \(resource.name) \(url) \(expectedIssuer.name) \(issuer)"
            throw Failure(error, hint: "if it is the same server: \(command)")
        }
    }

    static let command = Command(
        "discover", section: "Set up", summary: "find the endpoints of a server by its address",
        operands: [
            Operand("URL", summary: "the server's address")
        ],
        options: [resource, authorizationServer, expectedIssuer, GeneralOption.cache] + OutputOption.allAndStrict
            + RetryOption.all + GeneralOption.transport + [GeneralOption.dryRun],
        rules: [.needs([authorizationServer], anyOf: [resource])],
        refused: ForeignNames.options("discover"), run: run)
}
