package import OAuth
package import Wire
package import Shell

/// Why a request to a server brought nothing. The caller decides by it; the ``Failure`` and its message are made at the
/// edge.
package enum ServerFault: Error {
    /// There is no response. The endpoint is for the message.
    case lost(HTTPError, from: Endpoint? = nil)
    /// The server refused, or its response cannot be used.
    case refused(OAuthError)
    /// Every address of the metadata was asked, and none has any: why the first has none.
    case nothing(OAuthError)
    /// A member is missing, and the search for it in the metadata of an issuer failed.
    indirect case search(missing: OAuthError, of: String, ServerFault)
    /// Something of this machine: an option, a warning with `--strict`, the end of a dry run.
    case own(Failure)

    /// The value of an expression of the protocol.
    package static func reading<Value>(_ value: @autoclosure () throws(OAuthError) -> Value) throws(ServerFault)
        -> Value
    {
        do throws(OAuthError) { return try value() } catch { throw .refused(error) }
    }

    /// The value of an expression about this machine.
    package static func doing<Value>(_ value: @autoclosure () throws(Failure) -> Value) throws(ServerFault) -> Value {
        do throws(Failure) { return try value() } catch { throw .own(error) }
    }

    /// What the server said, or what is wrong with that.
    package var error: OAuthError? {
        switch self {
        case .refused(let error), .nothing(let error): error
        case .search(_, _, let fault): fault.error
        case .lost, .own: nil
        }
    }

    /// The HTTP status of the server, or of a proxy that refuses.
    package var status: Int? {
        switch self {
        case .refused(let error), .nothing(let error): error.status
        case .search(_, _, let fault): fault.status
        case .lost(.proxy(let status, _), _): status
        case .lost(.proxyUser, _): 407
        case .lost, .own: nil
        }
    }

    /// Whether another attempt may go better.
    package var isUnavailable: Bool { exit(.repeatable) == .unavailable }

    /// Whether the server answered, and not with what was asked for.
    var isBadAnswer: Bool { exit(.repeatable) == .badAnswer }

    /// The exit status; nil for what is of this machine.
    package func exit(_ stake: Stake) -> Exit? {
        switch self {
        case .lost(let error, _): error.exit(stake)
        case .refused(let error), .nothing(let error): error.exit(stake)
        case .search(_, _, let fault): fault.exit(stake)
        case .own: nil
        }
    }

    /// Whether a file of the caller's, such as that of `--cacert`, or libcurl is what is missing.
    fileprivate var isOfMachine: Bool {
        switch self {
        case .own, .lost(.file, _), .lost(.library, _), .lost(.proxyUser, _): true
        case .lost, .refused, .nothing, .search: false
        }
    }

    /// What to do first where no address has metadata.
    static let firstHint = "check the path of the issuer first"

    /// What the address of a server that was not found may need instead; nil for the failure's own hint.
    ///
    /// - Parameter resource: its option for the address of a resource.
    package func hint(for address: String, _ command: String, _ resource: String) -> String? {
        let text = address.isPlainWord ? address : "URL"
        if isUnavailable, !address.contains("://"), WebURL("http://\(address)")?.isLoopback == true {
            return "without a scheme the address is https: \(command) http://\(text) asks over plain http"
        }
        guard isBadAnswer, let error, error.status != nil || error.kind == .notJSON else { return nil }
        let first = if case .nothing = self { "\(Self.firstHint); " } else { "" }
        return """
            \(first)if the address is that of an API or an MCP server: \(command) \(resource)\(text); add -v to see the \
            addresses that oap asked
            """
    }
}

/// The value of an expression about a server, its fault turned into a failure.
package func asFailure<Value>(fault value: @autoclosure () throws(ServerFault) -> Value) throws(Failure) -> Value {
    do throws(ServerFault) { return try value() } catch { throw Failure(error) }
}

extension Failure {
    /// The hint is what to do, where that is better known than here.
    package init(_ fault: ServerFault, stake: Stake = .repeatable, hint: String? = nil) {
        switch fault {
        case .lost(let error, let endpoint): self.init(error, stake: stake, of: endpoint)
        case .refused(let error), .nothing(let error): self.init(error, stake: stake)
        case .search(_, _, let fault) where fault.isOfMachine: self.init(fault)
        case .search(let missing, let issuer, let fault):
            self.init(fault)
            message = "cannot read the metadata of \(issuer): \(message)"
            if !fault.isUnavailable { self.hint = fault.isBadAnswer ? missing.hint : self.hint ?? missing.hint }
            if case .nothing = fault { self.hint = "\(ServerFault.firstHint); \(self.hint ?? "")" }
        case .own(let failure): self = failure
        }
        if let hint { self.hint = hint }
    }
}
