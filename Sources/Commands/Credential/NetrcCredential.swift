internal import Wire
internal import Shell

/// Lines of a netrc file, which curl, git, pip and others read.
enum NetrcCredential {
    /// Prints a line for each host.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        var (hosts, username) = (request.hosts, request.username)
        guard (hosts + [username]).allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        else {
            throw .usage("a host or the user name holds a space or a control character")
        }
        let found = try request.named()
        let output = try request.session.output()
        let token = try request.handed(found)
        if hosts.isEmpty {
            let document = try found.input([], members: token.document).document
            hosts = try request.search.places(of: document).origins.compactMap { WebURL($0)?.host }
        }
        guard !hosts.isEmpty else {
            throw .usage("the token document names no host", hint: "use \(CredentialOption.host.name) HOST")
        }
        let lines = hosts.map { "machine \($0) login \(username) password \(token.access.token)" }
        return try output.finish(line: lines.joined(separator: "\n"))
    }
}
