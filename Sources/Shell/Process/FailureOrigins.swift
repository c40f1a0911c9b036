package import CommandSpec
package import JOSE
package import Loopback
package import OAuth
package import Wire
package import System

/// Whether a request may be repeated: decides the exit status of a lost response (6 or 12).
package enum Stake {
    case repeatable
    /// The request uses up a code or a refresh token, or does something that may not be done twice. The hint is what to
    /// do where its outcome is unknown; nil for a look at the server.
    case spends(hint: String? = nil)
    /// The request may not be sent twice, and an earlier one may have done its work.
    case open

    /// What to do where the outcome is unknown.
    fileprivate var hint: String {
        if case .spends(let hint?) = self { return hint }
        return "the server may have carried out the request; check that before you repeat it"
    }

    /// Whether the outcome of a request that may have been sent is unknown without a response.
    fileprivate func isUnknown(wasSent: Bool) -> Bool {
        switch self {
        case .repeatable: false
        case .spends: wasSent
        case .open: true
        }
    }
}

extension OAuthError {
    /// The status of the kind, unless origin, code or HTTP status decide.
    package func exit(_ stake: Stake) -> Exit {
        switch kind {
        case .usage where origin == .document: .badInput
        case .oauth, .authorization, .httpStatus:
            if case .spends = stake, leavesOutcomeOpen {
                .unknownOutcome
            } else if isTemporary {
                .unavailable
            } else {
                kind.exit
            }
        default: kind.exit
        }
    }
}

extension HTTPError {
    /// The status without a response.
    package func exit(_ stake: Stake) -> Exit {
        switch self {
        case .library, .file, .proxyUser: .fileFailed
        case .invalidURL, .invalidRequest: .badInput
        case .insecureTransport, .certificate: .insecure
        case .network: stake.isUnknown(wasSent: requestSent) ? .unknownOutcome : .unavailable
        case .proxy(let status, _): HTTPStatus.isFailureOfServer(status) ? .unavailable : .badAnswer
        case .malformedResponse: stake.isUnknown(wasSent: requestSent) ? .unknownOutcome : .badAnswer
        case .tooLarge, .inflated: .badAnswer
        case .aborted: preconditionFailure("a receiver that stops a transfer reports why")
        }
    }

    package var kind: ErrorKind {
        switch self {
        case .library, .file: .store
        case .invalidURL, .invalidRequest: .usage
        case .insecureTransport: .insecureTransport
        case .certificate: .certificate
        case .network(.timeout, _, _): .timeout
        case .network, .malformedResponse, .aborted: .network
        case .proxy, .proxyUser: .httpStatus
        case .tooLarge, .inflated: .tooLarge
        }
    }

    /// Whether an endpoint is to blame, which the message then names.
    fileprivate var isOfEndpoint: Bool { kind != .store && kind != .usage }
}

extension Failure {
    package init(_ error: OAuthError, stake: Stake = .repeatable) {
        let exit = error.exit(stake)
        self.init(exit, error.kind, error.message, hint: exit == .unknownOutcome ? stake.hint : Self.hint(for: error))
        // Scripts read the kind; the code of the server is in the message, which is the description.
        let isKind = error.kind == .refreshRefused
        (code, description) = isKind || error.code == nil ? (nil, nil) : (error.code, error.codeDescription)
        cause = error.cause ?? (error.refusesClient ? .client : error.code == "invalid_scope" ? .scope : nil)
        uri = error.codeURI
        httpStatus = error.status
        retryAfter = error.retryAfter.flatMap(Self.countable)
        if let wait = retryAfter, wait > 0, hint == nil { hint = Self.wait(wait) }
    }

    /// What is wrong where a DPoP nonce does not help (RFC 9449 §8).
    package static let hintForNonce = "the server gives no nonce that can be used, or wants another one each time"

    package static func wait(_ seconds: Int) -> String {
        "the server asks to wait \(seconds) \(seconds == 1 ? "second" : "seconds")"
    }

    /// What to do about a certificate. Trust in an authority does not help against one of another host, or of another time.
    private static func hint(for fault: HTTPError.CertificateFault) -> String {
        switch fault {
        case .authority: "to trust a certificate authority of your own, use --cacert FILE"
        case .host: "the host name in the URL must be one that the certificate names"
        case .time: "if the clock of this machine is right, the server needs a new certificate"
        case .client: CertificateRefusal.remedy
        }
    }

    private static func hint(for error: OAuthError) -> String? {
        if let hint = error.hint { return hint }
        return switch error.kind {
        case .metadataMissing: error.member.flatMap { Member.named($0) }?.supply
        default: nil
        }
    }

    /// The endpoint of the authorization server that was asked is for the message.
    package init(_ error: HTTPError, stake: Stake, of endpoint: Endpoint? = nil) {
        let exit = error.exit(stake)
        let place = error.isOfEndpoint ? endpoint.map { "\($0.description): " } ?? "" : ""
        self.init(exit, error.kind, place + error.message, hint: exit == .unknownOutcome ? stake.hint : nil)
        switch error {
        case .certificate(let fault, _): hint = Self.hint(for: fault)
        case .proxy(let status, _): httpStatus = status
        case .proxyUser(let proxy, _):
            let host = proxy.firstRange(of: "://").map { proxy[$0.upperBound...] } ?? proxy[...]
            let scheme = proxy[..<host.startIndex].isEmpty ? "http://" : proxy[..<host.startIndex]
            (httpStatus, hint) = (407, "export https_proxy=\(scheme)USER:PASSWORD@\(host), and leave -x out")
        case .file(let path, _) where Self.isOfSystem(path):
            hint = "install the package ca-certificates, or name a file with --cacert"
        default: break
        }
    }

    /// Whether a file has the certificates that the system trusts.
    private static func isOfSystem(_ path: String) -> Bool {
        path == HTTPError.certificatesOfSystem || ["/etc/ssl/certs/", "/etc/pki/"].contains(where: path.hasPrefix)
    }

    package init(_ error: LoopbackError) {
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
        case .portPrivileged, .pathTaken, .noSuchAddress, .system: self.init(.unavailable, .network, error.message)
        }
    }

    /// Runs a step that begins to listen.
    package static func listening<Value>(_ step: () throws(LoopbackError) -> Value) throws(Failure) -> Value {
        do throws(LoopbackError) { return try step() } catch { throw Failure(error) }
    }

    /// A failure of the cryptographic library or of the random numbers.
    package init(_ error: JOSEError) { self = .file("\(error)") }

    /// Runs a step of the cryptographic library, or one that needs random bytes; its error becomes exit 11.
    package static func jose<Value: ~Copyable>(_ step: @autoclosure () throws(JOSEError) -> Value) throws(Failure)
        -> Value
    {
        do throws(JOSEError) { return try step() } catch { throw Failure(error) }
    }

    package init(_ error: UsageError) { self = .usage(error.message, hint: error.hint) }
}

extension ErrorKind {
    /// Whether a person can help by a login.
    package var needsLogin: Bool { exit == .loginNeeded && self != .identityMissing }

    /// The exit status of most failures of the kind.
    package var exit: Exit {
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
        case .loginNeeded, .refreshRefused, .nothingToRenewWith, .loginPending, .flowExpired,
            .identityMissing:
            .loginNeeded
        case .insecureTransport, .certificate, .originRefused, .redirectRefused, .redirectCrossOrigin, .redirectLoop,
            .linkCrossOrigin, .redirectMismatch, .wrongChannel, .jarmUnexpected, .jarmMissing, .duplicateParameter,
            .unexpectedParameter, .stateMissing, .stateMismatch,
            .flowUsed, .issuerMissing, .issuerMismatch, .metadataIssuerMismatch, .tokenTypeUnsupported, .dpopDowngrade,
            .idTokenMissing,
            .idTokenMalformed, .idTokenAlgorithm, .idTokenHeader, .idTokenSignature, .idTokenExpired, .idTokenClaim,
            .identityAudience, .subjectMismatch, .jwtExpected, .signature, .keyNotFound, .keyAmbiguous, .keySelection,
            .keyWeak,
            .keyInvalid, .unsupported:
            .insecure
        }
    }
}

extension Failure {
    package static func unexecuted(_ command: String, _ error: Errno) -> Failure {
        let name = Terminal.escaping(command)
        if error == .noSuchFile, command.contains("/"), (try? FileStatus(at: command)) != nil {
            return Failure(
                .notExecutable, .usage, "cannot execute \(name): its interpreter is missing",
                hint: "the first line of \(name) names the interpreter")
        }
        let exit: Exit = error == .noSuchFile ? .noCommand : .notExecutable
        return Failure(exit, .usage, "cannot execute \(name): \(error)")
    }

    /// Runs a step of the system; its error becomes exit 11.
    package static func system<Value: ~Copyable>(
        _ problem: @autoclosure () -> String, _ step: @autoclosure () throws(Errno) -> Value
    ) throws(Failure) -> Value {
        do throws(Errno) {
            return try step()
        } catch {
            throw .file("\(problem()): \(error)")
        }
    }
}
