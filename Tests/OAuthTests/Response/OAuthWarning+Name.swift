@testable import OAuth

extension OAuthWarning {
    /// What the vectors call it.
    var name: String {
        switch self {
        case .contentType: "content_type"
        case .status, .revokedBefore: "status"
        case .memberDropped, .membersDropped: "member_dropped"
        case .tokenTypeMissing: "token_type_missing"
        case .expiresInZero: "expires_in_zero"
        case .expiresInInvalid: "expires_in_invalid"
        case .expiresInClamped: "expires_in_clamped"
        case .refreshTokenInvalid: "refresh_token_invalid"
        case .issuedTokenTypeMissing: "issued_token_type_missing"
        case .idTokenMissing: "id_token_missing"
        case .contextNotMet: "context_not_met"
        case .idTokenUnverified: "id_token_unverified"
        case .idTokenDropped: "id_token_dropped"
        case .idTokenNotReplaced: "id_token_not_replaced"
        case .scopeReduced: "scope_reduced"
        case .scopeWidened: "scope_widened"
        case .scopeEmpty: "scope_empty"
        case .audienceOther: "audience_other"
        case .tokenOfLogin: "token_of_login"
        case .scopeNotString: "scope_not_string"
        case .subjectTooLong: "sub_too_long"
        case .subjectUnchecked: "sub_unchecked"
        case .foreignAuthorizedParty: "azp_foreign"
        case .privateKeyMember: "jwk_private"
        case .noPKCE: "pkce_none"
        case .plainPKCE: "pkce_plain"
        case .unlisted: "unlisted"
        case .issuerUnchecked: "iss_unchecked"
        case .intervalInvalid: "interval_invalid"
        case .expiryMissing: "client_secret_expires_at"
        case .managementUnusable: "registration_client_uri"
        case .registeredOther: "registered_other"
        case .endpointUnusable: "endpoint_unusable"
        case .notRenewed, .other: "other"
        }
    }
}
