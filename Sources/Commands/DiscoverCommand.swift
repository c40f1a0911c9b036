internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap discover`: the address of a server, an API or an MCP server → client.
enum DiscoverCommand {
    static let resource = Option("resource", section: "Request", summary: "the URL is that of an API or an MCP server")
    static let authorizationServer = Option(
        "authorization-server", argument: "ISSUER", section: "Request",
        summary: "which authorization server of the resource")
    static let expectedIssuer = Option(
        "expected-issuer", argument: "ISSUER", section: "Request", summary: "the issuer that the metadata names")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        let (engine, transport) = (session.engine, session.transport)
        let search = Discovery(
            transport: transport, cache: try transport.cache(), asksAll: !arguments.has(resource))
        let output = try session.output()
        let url = arguments.operand(0) ?? ""
        guard arguments.has(resource) else {
            let discovery = try lift(try ServerDiscovery(url, expecting: arguments.value(expectedIssuer)))
            let metadata: ServerMetadata
            do throws(ServerFault) {
                metadata = try engine.run(search.server(discovery))
            } catch {
                throw Failure(error, hint: error.hint(for: url, "oap discover", "--resource "))
            }
            return try output.finish(metadata.members)
        }
        let discovery = try lift(try ResourceDiscovery(url))
        let client = search.client(
            of: discovery, choosing: arguments.value(authorizationServer), expecting: arguments.value(expectedIssuer))
        return try output.finish(try settle(try engine.run(client)).members)
    }

    /// The command.
    static let command = Command(
        "discover", section: "Set up", summary: "find the endpoints of a server by its address",
        manual: Manual.discover,
        operands: [
            Operand("URL", summary: "the server's address")
        ],
        options: [resource, authorizationServer, expectedIssuer, GeneralOption.cache] + OutputOption.allAndStrict
            + GeneralOption.transport + [GeneralOption.dryRun],
        rules: [.needs([authorizationServer], anyOf: [resource])],
        refused: [RefusedOption(foreign: "issuer", hint: "the URL is an operand: oap discover URL")],
        seeAlso: [ManualReference("oap-provider", 1), ManualReference("oap-authurl", 1)], run: run)
}
