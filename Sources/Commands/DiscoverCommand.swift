internal import CommandSpec
internal import Engine
internal import System
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

    static let fapi2 = Option(
        "fapi2", section: OutputOption.section, summary: "report what the metadata shows of FAPI 2.0")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (operand, issuer) = (arguments.operand(0), arguments.value(expectedIssuer))
        if arguments.has(fapi2), let metadata = try document(operand) {
            return try report(metadata.fapi2, session)
        }
        guard let url = operand else {
            throw .usage("missing operand: URL", hint: "usage: oap discover [OPTION ...] URL")
        }
        let (engine, transport) = (session.engine, session.transport)
        let search = Discovery(
            transport: transport, cache: transport.cache, asksAll: !arguments.has(resource))
        guard !arguments.has(fapi2) else {
            return try report(try server(at: url, expecting: issuer, by: search, engine).fapi2, session)
        }
        let output = try session.output()
        guard arguments.has(resource) else {
            return try output.finish(try server(at: url, expecting: issuer, by: search, engine).members)
        }
        let choice = arguments.value(authorizationServer)
        return try output.finish(try client(of: url, choosing: choice, expecting: issuer, by: search, engine))
    }

    /// The metadata in a file, or on standard input without an operand; nil where the operand is an address.
    private static func document(_ path: String?) throws(Failure) -> ServerMetadata? {
        if let path, (try? FileStatus(at: path))?.isFolder != false { return nil }
        let bytes =
            if let path { try InputFile.read(path, limit: Input.limit) } else {
                try Input.standardInputBytes(hint: "name the address of the server")
            }
        let members = try Input.object(in: bytes, name: path ?? "standard input", exit: .badInput)
        return try asFailure(ServerMetadata(members))
    }

    private static func server(
        at url: String, expecting issuer: String?, by search: Discovery, _ engine: Engine
    ) throws(Failure) -> ServerMetadata {
        let discovery = try asFailure(ServerDiscovery(url, expecting: issuer))
        do throws(ServerFault) {
            return try engine.run(search.server(discovery))
        } catch {
            throw Failure(error, hint: error.hint(for: url, "oap discover", "--resource "))
        }
    }

    /// The points of the profile; exit 9 if one fails.
    private static func report(_ points: [ProfilePoint], _ session: Session) throws(Failure) -> Exit {
        let names = ["section", "point", "verdict", "found"]
        let columns = names.map { Table.Column(head: $0.uppercased(), narrowing: $0 == "found" ? .cuts : .stays) }
        let cells = { (point: JSONObject) in
            names.compactMap { point[$0] }.map { $0.isNull ? "" : InspectionText.plain($0) }
        }
        let exit = try session.list(points, columns: columns, red: ["fail"], orSay: "", row: cells) { $0.members }
        let failed = points.count { $0.holds == false }
        guard failed > 0 else { return exit }
        session.diagnostics.tell("the metadata fails \(failed) of \(points.count) points of FAPI 2.0")
        return .insecure
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
            Operand("URL", isRequired: false, summary: "the server's address")
        ],
        options: [resource, authorizationServer, expectedIssuer, fapi2, GeneralOption.cache] + OutputOption.allAndStrict
            + RetryOption.all + GeneralOption.transport + [GeneralOption.dryRun],
        rules: [
            .needs([authorizationServer], anyOf: [resource]), .apart([fapi2], from: [resource, GeneralOption.cache]),
        ],
        refused: ForeignNames.options("discover"), run: run)
}
