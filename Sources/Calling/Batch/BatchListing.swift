internal import HTTP
internal import OAuth
package import Shell
package import Tokens
package import Sessions

/// Prints the requests of standard input as curl command lines (`--batch --dry-run`).
package struct BatchListing {
    private let requests: BatchRequests
    private let token: AccessToken
    private let source: TokenSource
    private let transport: Transport
    private let shard: BatchShard?

    /// - Throws: exit 3 or 9 for a token that cannot be sent.
    package init(
        _ requests: BatchRequests, _ source: TokenSource, of settings: CallSettings, over transport: Transport
    ) throws(Failure) {
        (self.requests, self.source, self.transport, shard) = (requests, source, transport, settings.shard)
        token = try source.likelyToken()
    }

    /// Prints a command line for each line that this process would send.
    ///
    /// - Throws: the highest status of a line that is no request; exit 11.
    package func run(_ session: Session) throws(Failure) -> Exit {
        var writer = try session.output()
        var input = BatchInput()
        var worst: Failure?
        let (run, endpoint) = (try requests.run(), try requests.endpoint())
        while !input.isAtEnd || !input.isEmpty {
            guard let line = input.next() else {
                try input.read()
                continue
            }
            guard !line.isBlank, shard?.takes(line.bytes ?? [], number: line.number) != false else { continue }
            do throws(Failure) {
                let request = try requests.request(
                    try BatchRequests.members(of: line), key: "\(run)-\(line.number)", at: endpoint)
                let sendsCertificate = source.sendsCertificate(to: request.message.url, with: token)
                try writer.write(
                    line: CurlCommand(request, with: token, redactor: session.diagnostics.redactor).text
                        + transport.curlOptions(withCertificate: sendsCertificate))
            } catch {
                session.diagnostics.tell("line \(line.number): \(error.message)")
                worst = .worse(worst, error)
            }
        }
        _ = try writer.end()
        if let worst { throw worst }
        return .done
    }
}
