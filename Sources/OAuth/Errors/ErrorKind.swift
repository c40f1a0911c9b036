/// The kinds of failure, all that there are. The raw value is what an error document says where the server gave no code of
/// its own (oap-documents(5)).
package enum ErrorKind: String, Sendable, CaseIterable {
    // The caller's own doing, the document and the surroundings.
    case usage
    case parse
    case metadataMissing = "metadata_missing"
    case metadataInvalid = "metadata_invalid"
    case pkceUnsupported = "pkce_unsupported"
    case unsupported
    case library
    case store
    case filter
    case halt = "halt_error"

    // The authorization server's answers.
    case oauth
    case authorization
    case httpStatus = "http_status"
    case notJSON = "not_json"
    case unreadableResponse = "unreadable_response"
    case invalidResponse = "invalid_response"
    case deviceExpired = "device_expired"
    case outcomeUnknown = "outcome_unknown"

    // A person must log in: there is no token, the server refused the refresh token, there is none, and a login for the
    // same name is under way.
    case loginNeeded = "login_needed"
    case refreshRefused = "refresh_refused"
    case nothingToRenewWith = "nothing_to_renew_with"
    case loginPending = "login_pending"
    case identityMissing = "identity_missing"

    // No answer, too much of one, and what an API says.
    case network
    case timeout
    case cancelled
    case tooLarge = "too_large"
    case insufficientScope = "insufficient_scope"
    case stepUpRequired = "step_up_required"

    // Checks of our own.
    case insecureTransport = "insecure_transport"
    case certificate = "certificate_untrusted"
    case originRefused = "origin_refused"
    case redirectRefused = "redirect_refused"
    case redirectCrossOrigin = "redirect_cross_origin"
    case redirectLoop = "redirect_loop"
    case contentNotReplayable = "body_not_replayable"
    case linkCrossOrigin = "link_cross_origin"
    case paginationLoop = "pagination_loop"
    case redirectMismatch = "redirect_mismatch"
    case wrongChannel = "wrong_channel"
    case jarmUnexpected = "jarm_unexpected"
    case jarmMissing = "jarm_missing"
    case duplicateParameter = "duplicate_param"
    case unexpectedParameter = "unexpected_param"
    case stateMissing = "state_missing"
    case stateMismatch = "state_mismatch"
    case flowUsed = "flow_used"
    case flowExpired = "flow_expired"
    case issuerMissing = "iss_missing"
    case issuerMismatch = "iss_mismatch"
    case metadataIssuerMismatch = "issuer_mismatch"
    case codeMissing = "code_missing"
    case tokenTypeUnsupported = "token_type_unsupported"
    case dpopDowngrade = "dpop_downgrade"

    // ID tokens and keys (OpenID Connect Core §3.1.3.7, RFC 7515, RFC 7517).
    case idTokenMissing = "id_token_missing"
    case idTokenMalformed = "id_token_malformed"
    case idTokenAlgorithm = "id_token_alg"
    case idTokenHeader = "id_token_header"
    case idTokenSignature = "id_token_signature"
    case idTokenExpired = "id_token_expired"
    case idTokenClaim = "id_token_claim"
    case identityAudience = "identity_audience"
    case subjectMismatch = "sub_mismatch"
    case jwtExpected = "jwt_expected"
    case signature
    case keyNotFound = "key_not_found"
    case keyAmbiguous = "key_ambiguous"
    case keySelection = "key_selection"
    case keyWeak = "key_weak"
    case keyInvalid = "key_invalid"
}

extension ErrorKind {
    /// What an error document, made by `Failure.document` of `Shell`, has in `error` for the kind: an unreadable answer is
    /// `parse`, like an unreadable document.
    package var name: String { self == .unreadableResponse ? "parse" : rawValue }
}
