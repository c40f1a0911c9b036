internal import Calls
internal import HTTP
internal import OAuth
internal import Wire

/// Prints the requests of standard input as curl command lines (`--batch --dry-run`).
struct BatchListing {
    private let requests: BatchRequests
    private let token: AccessToken
    private let transport: Transport

    init(_ requests: BatchRequests, token: AccessToken, over transport: Transport) {
        (self.requests, self.token, self.transport) = (requests, token, transport)
    }

    /// Prints a command line for each line.
    ///
    /// - Throws: the highest status of a line that is no request; exit 11.
    func run(_ session: Session) throws(Failure) -> Exit {
        var writer = try session.output()
        var input = BatchInput()
        var worst: Failure?
        let (run, endpoint) = (try requests.run(), try requests.endpoint())
        let options = transport.curlOptions(withCertificate: true)
        while !input.isAtEnd || !input.isEmpty {
            guard let line = input.next() else {
                try input.read()
                continue
            }
            guard !line.isBlank else { continue }
            do throws(Failure) {
                let request = try requests.request(
                    try BatchRequests.members(of: line), key: "\(run)-\(line.number)", at: endpoint)
                try writer.write(
                    line: CurlCommand(request, with: token, redactor: session.diagnostics.redactor).text + options)
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
