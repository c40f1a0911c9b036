internal import CommandSpec
internal import HTTP
internal import JOSE
internal import JQ
internal import Loopback
internal import OAuth
internal import Wire

/// What a request puts at stake, which decides how a lost answer is told (exit status 6 or 12).
enum Stake {
    /// Sending it again does no harm.
    case repeatable
    /// It uses up a code, a refresh token, or does something that may not be done twice.
    case spends
}

extension Failure {
    /// A failure of the protocol.
    init(_ error: OAuthError, document: Document? = nil, stake: Stake = .repeatable) {
        self.init(
            Self.exit(for: error, document: document, stake: stake), error.code ?? error.kind.name, error.message,
            hint: error.advice)
        description = error.codeDescription
        uri = error.codeURI
        httpStatus = error.status
        retryAfter = error.retryAfter
    }

    private static func exit(for error: OAuthError, document: Document?, stake: Stake) -> Exit {
        switch error.kind {
        case .usage:
            guard let member = error.member, let document else { return .usage }
            return document.origin(of: member) == .document ? .badInput : .usage
        case .pkceUnsupported: return .usage
        case .parse, .metadataMissing, .metadataInvalid: return .badInput
        case .library: return .fileFailed
        case .oauth, .authorization:
            return error.isTransient || ["temporarily_unavailable", "server_error"].contains(error.code)
                ? .unavailable : .refused
        case .httpStatus:
            guard error.isTransient else { return .badAnswer }
            return stake == .spends && error.status != 429 ? .unknownOutcome : .unavailable
        case .notJSON, .unreadableResponse, .invalidResponse, .codeMissing: return .badAnswer
        case .reauthRequired: return .loginNeeded
        case .deviceExpired: return .refused
        case .outcomeUnknown: return .unknownOutcome
        case .insecureTransport, .redirectRefused, .redirectMismatch, .wrongChannel, .jarmUnexpected,
            .duplicateParameter, .unexpectedParameter, .stateMissing, .stateMismatch, .issuerMissing, .issuerMismatch,
            .tokenTypeUnsupported, .dpopDowngrade, .idTokenMissing, .idTokenMalformed, .idTokenAlgorithm,
            .idTokenHeader, .idTokenSignature, .idTokenExpired, .idTokenClaim, .signature, .keyNotFound, .keyAmbiguous,
            .keySelection, .keyWeak, .keyInvalid, .unsupported:
            return .insecure
        }
    }

    /// A failure of the transport.
    init(_ error: HTTPError, stake: Stake) {
        let isUnknown = stake == .spends && error.requestSent
        switch error {
        case .library, .file: self = .file(error.message)
        case .invalidURL, .invalidRequest: self.init(.badInput, "usage", error.message)
        case .insecureTransport: self.init(.insecure, "insecure_transport", error.message)
        case .network(let stage, _, _):
            let kind = stage == .timeout ? "timeout" : "network"
            self.init(isUnknown ? .unknownOutcome : .unavailable, kind, error.message)
            if isUnknown { hint = "the request may have been carried out; look before you repeat it" }
        case .proxy(let status, _):
            self.init(OAuthError.isTransient(status) ? .unavailable : .badAnswer, "http_status", error.message)
            httpStatus = status
        case .malformedResponse: self.init(isUnknown ? .unknownOutcome : .badAnswer, "network", error.message)
        case .tooLarge, .inflated: self.init(.badAnswer, "too_large", error.message)
        case .aborted: preconditionFailure("whoever stops a transfer knows why")
        }
    }

    /// A server that cannot listen.
    init(_ error: LoopbackError) {
        switch error {
        case .library: self = .file(error.message)
        case .certificate: self.init(.badInput, "key_invalid", error.message)
        case .portTaken:
            self.init(
                .unavailable, "network", error.message,
                hint: "end the program that has it, or take port 0 in redirect_uri, for which a free one is chosen")
        case .portPrivileged, .noSuchAddress, .system: self.init(.unavailable, "network", error.message)
        }
    }

    /// A failure of the cryptographic library or of the system's random numbers.
    init(_ error: JOSEError) { self = .file("\(error)") }

    /// A command line that could not be understood.
    init(_ error: UsageError) { self = .usage(error.message, hint: error.hint) }
}
