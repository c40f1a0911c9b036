internal import Wire

/// What went wrong between client and server, divided by what a test or a script tells apart.
package struct OAuthError: Error, Sendable, Equatable {
    package typealias Kind = ErrorKind

    package enum Origin: Sendable {
        /// In an option, a variable or an operand.
        case caller
        case document
        case server
        /// Nowhere else: a check of ours refuses what came.
        case check
        case environment
    }

    /// What a command that knows more can say in a better hint.
    package enum Cause: Sendable, Equatable {
        /// A time is wrong by the clock of this machine.
        case clock
        /// The code or the refresh token does not work any more.
        case grant
        case client
        /// The certificate of the client is missing or no good, says what is before the server.
        case certificate
        case scope
        case redirect
        /// The server announces this issuer, which differs from the known one in nothing but a slash at the end.
        case issuer(String)
    }

    /// The kind of failure; the exit status follows from it.
    package var kind: Kind
    package var origin: Origin
    /// The sentence for the user: lower case, no full stop, no secret.
    package var message: String
    package var hint: String?
    package var cause: Cause?
    /// The error code that the server gave (RFC 6749 §5.2, §4.1.2.1).
    package var code: String?
    /// The server's own words, which may repeat a secret.
    package var codeDescription: String?
    package var codeURI: String?
    package var status: Int?
    /// Whether the server's words are about a refresh token, or a sign-in, that does not work any more.
    var namesToken = false
    /// When the server answered by its own clock, in seconds since 1970.
    package var serverTime: Int?
    /// Seconds to wait that the server named.
    package var retryAfter: Int?
    /// Seconds between two polls that the server asks for (RFC 8628 §3.5; GitHub sends them with `slow_down`).
    var interval: Int?
    /// The parameter, claim or member that was at fault.
    package var member: String?

    /// The origin is by default the one that errors of the kind have.
    package init(
        _ kind: Kind, _ message: String, hint: String? = nil, cause: Cause? = nil, code: String? = nil,
        status: Int? = nil, member: String? = nil, origin: Origin? = nil
    ) {
        (self.kind, self.origin, self.message) = (kind, origin ?? kind.origin, message)
        (self.hint, self.cause, self.code) = (hint, cause, code)
        (self.status, self.member) = (status, member)
    }
}

extension OAuthError {
    /// Whether the status of the answer says that the server is busy or broken for now.
    package var isTransient: Bool { isUntouched || status.map(HTTPStatus.isFailureOfServer) ?? false }

    /// Whether the status of the answer says that the server has not begun with the request.
    var isUntouched: Bool { status.map(HTTPStatus.isUntouched) ?? false }

    /// Whether the answer leaves open what was done: a status of 408 or 500 to 599, whatever its content says, unless the
    /// server asks for another attempt.
    package var leavesOutcomeOpen: Bool {
        isTransient && !isUntouched && !(code == "temporarily_unavailable" && retryAfter != nil)
    }

    /// Whether the error is about the client (RFC 6749 §5.2), or a refusal without a code may be.
    package var concernsClient: Bool { isRefusalWithoutCode || refusesClient || cause == .certificate }

    package var refusesClient: Bool { ["invalid_client", "unauthorized_client"].contains(code) }

    var isRefusalWithoutCode: Bool { kind == .httpStatus && [401, 403].contains(status) }
}

extension ErrorKind {
    /// Where something is wrong, unless the error says otherwise.
    package var origin: OAuthError.Origin {
        switch self {
        case .usage, .pkceUnsupported: .caller
        case .parse, .metadataMissing, .metadataInvalid: .document
        case .library, .store, .filter, .halt, .network, .timeout, .cancelled, .certificate, .loginNeeded,
            .nothingToRenewWith, .loginPending, .identityMissing:
            .environment
        case .oauth, .authorization, .httpStatus, .notJSON, .unreadableResponse, .invalidResponse, .refreshRefused,
            .deviceExpired, .outcomeUnknown, .tooLarge, .insufficientScope, .stepUpRequired, .codeMissing:
            .server
        default: .check
        }
    }
}
