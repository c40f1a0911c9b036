internal import CommandSpec
internal import HTTP
internal import JOSE
internal import JQ
internal import Loopback
internal import OAuth
internal import Wire

/// Whether a request may be repeated: decides the exit status of a lost response (6 or 12).
enum Stake {
    /// It may be sent again.
    case repeatable
    /// It uses up a code or a refresh token, or does something that may not be done twice.
    case spends
    /// The same, and an earlier request may have done it.
    case open
}

extension Failure {
    /// A failure of the protocol.
    ///
    /// - Parameter stake: that of the request.
    init(_ error: OAuthError, stake: Stake = .repeatable) {
        let exit = Self.exit(for: error, stake: stake)
        self.init(exit, error.kind, error.message, hint: Self.hint(for: error))
        if exit == .unknownOutcome, hint == nil { hint = Self.look }
        // Scripts read the kind; the code of the server is in the message, which is the description.
        let isKind = error.kind == .refreshRefused
        (code, description) = isKind ? (nil, nil) : (error.code, error.codeDescription)
        cause = error.cause
        uri = error.codeURI
        httpStatus = error.status
        retryAfter = error.retryAfter.flatMap(Self.countable)
        if let wait = retryAfter, wait > 0, hint == nil { hint = Self.wait(wait) }
    }

    /// The status of the kind, unless origin, code or HTTP status decide.
    private static func exit(for error: OAuthError, stake: Stake) -> Exit {
        switch error.kind {
        case .usage where error.origin == .document: .badInput
        case .oauth, .authorization, .httpStatus:
            if stake == .spends && error.leavesOutcomeOpen {
                .unknownOutcome
            } else if error.isTransient || ["temporarily_unavailable", "server_error"].contains(error.code) {
                .unavailable
            } else {
                error.kind.exit
            }
        default: error.kind.exit
        }
    }

    /// What to do where the outcome is unknown.
    private static let look = "the server may have carried out the request; check that before you repeat it"

    /// What a server asks for.
    static func wait(_ seconds: Int) -> String {
        "the server asks to wait \(seconds) \(seconds == 1 ? "second" : "seconds")"
    }

    /// What to do about a certificate. Trust in an authority does not help against one of another host, or of another time.
    private static func hint(for fault: HTTPError.CertificateFault) -> String {
        switch fault {
        case .authority: "to trust a certificate authority of your own, use \(GeneralOption.caCertificate.name) FILE"
        case .host: "the host name in the URL must be one that the certificate names"
        case .time: "if the clock of this machine is right, the server needs a new certificate"
        }
    }

    /// What to do: the error's own hint, else the option that helps.
    private static func hint(for error: OAuthError) -> String? {
        if let hint = error.hint { return hint }
        return switch error.kind {
        case .metadataMissing: error.member.flatMap { Member.named($0) }?.supply
        case .pkceUnsupported:
            "if nothing else works, use \(AuthurlCommand.challengeMethod.name) plain or \(AuthurlCommand.noPKCE.name)"
        default: nil
        }
    }

    /// A failure of the transport, to an endpoint of the authorization server.
    init(_ error: HTTPError, stake: Stake, of endpoint: Endpoint?) {
        self.init(error, stake: stake)
        guard kind != .store, kind != .usage, let endpoint else { return }
        message = "\(endpoint.description): \(message)"
    }

    /// A failure of the transport.
    init(_ error: HTTPError, stake: Stake) {
        let isUnknown = stake == .open || stake == .spends && error.requestSent
        switch error {
        case .library, .file: self = .file(error.message)
        case .invalidURL, .invalidRequest: self.init(.badInput, .usage, error.message)
        case .insecureTransport: self.init(.insecure, .insecureTransport, error.message)
        case .certificate(let fault, _):
            self.init(.insecure, .certificate, error.message, hint: Self.hint(for: fault))
        case .network(let stage, _, _):
            let kind = stage == .timeout ? ErrorKind.timeout : .network
            self.init(
                isUnknown ? .unknownOutcome : .unavailable, kind, error.message, hint: isUnknown ? Self.look : nil)
        case .proxy(let status, _):
            self.init(HTTPStatus.isFailureOfServer(status) ? .unavailable : .badAnswer, .httpStatus, error.message)
            httpStatus = status
        case .malformedResponse:
            let hint = isUnknown ? Self.look : nil
            self.init(isUnknown ? .unknownOutcome : .badAnswer, .network, error.message, hint: hint)
        case .tooLarge, .inflated: self.init(.badAnswer, .tooLarge, error.message)
        case .aborted: preconditionFailure("a receiver that stops a transfer reports why")
        }
    }

    /// A failure to listen.
    init(_ error: LoopbackError) {
        switch error {
        case .library: self = .file(error.message)
        case .certificate: self.init(.badInput, .keyInvalid, error.message)
        case .portTaken:
            self.init(
                .unavailable, .network, error.message,
                hint: """
                    end the program that uses the port, or choose another port with oap login --port or in \
                    redirect_uri; 0 means a free port, but some servers accept only the registered port
                    """)
        case .portPrivileged, .noSuchAddress, .system: self.init(.unavailable, .network, error.message)
        }
    }

    /// A failure of the cryptographic library or of the random numbers.
    init(_ error: JOSEError) { self = .file("\(error)") }

    /// A command line that cannot be parsed.
    init(_ error: UsageError) { self = .usage(error.message, hint: error.hint) }
}

extension ErrorKind {
    /// Whether a person must log in.
    var needsLogin: Bool { exit == .loginNeeded }

    /// The exit status of most failures of the kind.
    var exit: Exit {
        switch self {
        case .usage, .pkceUnsupported: .usage
        case .parse, .metadataMissing, .metadataInvalid: .badInput
        case .library, .store: .fileFailed
        case .filter, .halt: .filterFailed
        case .network, .timeout, .cancelled: .unavailable
        case .oauth, .authorization, .deviceExpired: .refused
        case .outcomeUnknown: .unknownOutcome
        case .insufficientScope, .stepUpRequired, .contentNotReplayable: .apiRefused
        case .httpStatus, .notJSON, .unreadableResponse, .invalidResponse, .codeMissing, .tooLarge,
            .paginationLoop:
            .badAnswer
        case .loginNeeded, .refreshRefused, .nothingToRenewWith, .loginPending, .flowExpired: .loginNeeded
        case .insecureTransport, .certificate, .originRefused, .redirectRefused, .redirectCrossOrigin, .redirectLoop,
            .linkCrossOrigin, .redirectMismatch, .wrongChannel, .jarmUnexpected, .duplicateParameter,
            .unexpectedParameter, .stateMissing, .stateMismatch,
            .flowUsed, .issuerMissing, .issuerMismatch, .metadataIssuerMismatch, .tokenTypeUnsupported, .idTokenMissing,
            .idTokenMalformed, .idTokenAlgorithm, .idTokenHeader, .idTokenSignature, .idTokenExpired, .idTokenClaim,
            .subjectMismatch, .jwtExpected, .signature, .keyNotFound, .keyAmbiguous, .keySelection, .keyWeak,
            .keyInvalid, .unsupported:
            .insecure
        }
    }
}
