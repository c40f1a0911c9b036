import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Refused refresh tokens, by whatever name")
struct TokenRefusalTests {
    /// What servers answer to a refresh token that does not work any more, or after the end of a sign-in.
    private static let deadAnswers: [(Int, String)] = [
        (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant"}"#),
        (404, #"{"error":"invalid_grant"}"#),
        // GitHub
        (
            200,
            #"{"error":"bad_refresh_token","error_description":"The refresh token passed is incorrect or expired."}"#
        ),
        // Databricks, DeviantArt, LinkedIn, X, Zoom, better-auth
        (400, #"{"error":"invalid_request","error_description":"Refresh token is invalid"}"#),
        (400, #"{"error":"invalid_request","error_description":"The refresh_token is invalid.","status":"error"}"#),
        (
            400,
            #"{"error":"invalid_request","error_description":"The provided authorization grant or refresh token is invalid, expired or revoked."}"#
        ),
        (400, #"{"error":"invalid_request","error_description":"Value passed for the token was invalid."}"#),
        (401, #"{"reason":"Invalid Token!","error":"invalid_request"}"#),
        (400, #"{"error":"invalid_request","error_description":"session not found"}"#),
        (400, #"{"error":"invalid_request","error_description":"The refresh_token parameter has expired"}"#),
        (
            400,
            #"{"error":"invalid_request","error_description":"Refresh token was issued to another client: unknown"}"#
        ),
        // Atlassian, Salesforce
        (403, #"{"error":"unauthorized_client","error_description":"refresh_token is invalid"}"#),
        (400, #"{"error":"invalid_request","error_description":"expired access/refresh token"}"#),
        // Codes of their own
        (401, #"{"error":"invalid_token"}"#), (400, #"{"error":"expired_token"}"#),
        (400, #"{"error":"token_expired"}"#),
        (400, #"{"error":"invalid_refresh_token"}"#), (401, #"{"error":"refresh_token_expired"}"#),
        (401, #"{"error":"token_revoked"}"#), (403, #"{"error":"token_inactive"}"#),
        (200, #"{"ok":false,"error":"invalid_refresh_token"}"#), (200, #"{"ok":false,"error":"token_revoked"}"#),
        (400, #"{"error":"INVALID_REFRESH_TOKEN"}"#), (400, #"{"error":"InvalidRefreshToken"}"#),
        (400, #"{"error":"refresh-token-revoked"}"#), (400, #"{"error":"ExpiredTokenException"}"#),
        (401, #"{"error":"Refresh token expired"}"#), (400, #"{"error":"session_expired"}"#),
        (400, #"{"error":"session_expired","error_description":"Session doesn't have required client"}"#),
        (401, #"{"error":{"code":"refresh_token_reused","message":"Your refresh token has already been used."}}"#),
        (401, #"{"error":{"code":"refresh_token_invalidated","message":"x"}}"#),
        (400, #"{"error":{"code":400,"message":"TOKEN_EXPIRED","status":"INVALID_ARGUMENT"}}"#),
        (400, #"{"error":"rapt_required","error_subtype":"invalid_rapt"}"#), (200, #"{"error":"invalid_code"}"#),
        (410, #"{"error":"refresh_token_not_found"}"#), (422, #"{"error":"refresh_token_deleted"}"#),
        // A sign-in that is over
        (400, #"{"error":"interaction_required"}"#), (400, #"{"error":"login_required"}"#),
        (400, #"{"error":"consent_required"}"#), (400, #"{"error":"account_selection_required"}"#),
        (403, #"{"error":"access_denied","error_description":"The user has revoked access."}"#),
        (403, #"{"error":"access_denied","error_description":"Consent was withdrawn"}"#),
        (400, #"{"error":"invalid_request","error_description":"Please log in again"}"#),
        (400, #"{"error":"invalid_request","error_description":"Reauthentication is required"}"#),
        (401, #"{"error":"unauthorized","error_description":"Session has expired, sign in again"}"#),
        (
            400,
            #"{"error":"invalid_request","error_description":"AADSTS50173: The provided grant has expired due to it being revoked."}"#
        ),
        (
            400,
            #"{"error":"invalid_request","error_description":"AADSTS70008: The refresh token has expired due to inactivity."}"#
        ),
        (
            400,
            #"{"error":"invalid_request","error_description":"AADSTS700084: The refresh token was issued to a single page app (SPA)"}"#
        ),
        // Facebook, WeChat, Weibo: numbers
        (
            400,
            #"{"error":{"message":"Error validating access token: The user has not authorized application 1.","type":"OAuthException","code":190,"error_subcode":458}}"#
        ),
        (400, #"{"errcode":42002,"errmsg":"x"}"#),
        (400, #"{"error":"x","error_code":21327}"#),
        // No OAuth error: Strava, Twitch, HubSpot, Webex, Supabase
        (
            400,
            #"{"message":"Bad Request","errors":[{"resource":"RefreshToken","field":"refresh_token","code":"invalid"}]}"#
        ),
        (401, #"{"status":401,"message":"Invalid refresh token"}"#),
        (400, #"{"status":"BAD_REFRESH_TOKEN","message":"missing or invalid refresh token"}"#),
        (400, #"{"message":"The refresh token is expired","trackingId":"x"}"#),
        (
            400,
            #"{"code":400,"error_code":"refresh_token_not_found","msg":"Invalid Refresh Token: Refresh Token Not Found"}"#
        ),
        (403, #"{"detail":"Token is inactive"}"#), (401, #"{"error":"","title":"The grant was revoked"}"#),
        (
            400,
            #"{"fault":{"faultstring":"Refresh Token expired","detail":{"errorcode":"keymanagement.service.refresh_token_expired"}}}"#
        ),
        (401, #"{"message":"jwt expired"}"#), (400, "Invalid refresh token"), (401, "The refresh token does not exist"),
        (400, #"{"error":"x","error_description":"refresh token already redeemed"}"#), (400, "Refresh token gone"),
        // With the status of a success: WeChat, Feishu, gateways
        (200, #"{"errcode":40030,"errmsg":"invalid refresh_token"}"#), (200, #"{"errcode":42002}"#),
        (200, #"{"code":99991679,"msg":"refresh token expired"}"#), (200, "refresh token expired"),
        (200, #"{"message":"The refresh token has been revoked"}"#),
        (200, #"{"ok":false,"message":"session expired"}"#),
    ]

    /// What they answer for another reason.
    private static let otherAnswers: [(Int, String)] = [
        (401, #"{"error":"invalid_client"}"#),
        (400, #"{"error":"invalid_client","error_description":"Invalid refresh token"}"#),
        (401, #"{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided."}"#),
        (400, #"{"error":"unauthorized_client"}"#),
        (
            400,
            #"{"error":"unauthorized_client","error_description":"The client is unknown or must not use refresh tokens"}"#
        ),
        (
            400,
            #"{"error":"unauthorized_client","error_description":"AADSTS700016: Application with identifier was not found"}"#
        ),
        (
            400,
            #"{"error":"invalid_request","error_description":"AADSTS9002313: Invalid request. Request is malformed or invalid token."}"#
        ),
        (400, #"{"error":"invalid_scope"}"#),
        (
            400,
            #"{"error":"invalid_scope","error_description":"scope exceeds the refresh token, which is invalid for it"}"#
        ),
        (400, #"{"error":"unsupported_grant_type","error_description":"refresh_token is not valid"}"#),
        (400, #"{"error":"invalid_target","error_description":"the token is unknown for it"}"#),
        (400, #"{"error":"invalid_dpop_proof","error_description":"the token in the proof is invalid"}"#),
        (400, #"{"error":"use_dpop_nonce"}"#),
        (400, #"{"error":"temporarily_unavailable","error_description":"unknown token"}"#),
        (400, #"{"error":"server_error","error_description":"token not found"}"#),
        (400, #"{"error":"slow_down"}"#), (400, #"{"error":"access_denied"}"#), (400, #"{"error":"invalid_request"}"#),
        (400, #"{"error":"invalid_request","error_description":"missing parameter refresh_token"}"#),
        (
            400,
            #"{"error":"invalid_request","error_description":"The request is missing a required parameter, or is otherwise invalid: refresh_token"}"#
        ),
        (400, #"{"error":"invalid_request","error_description":"refresh_token is required"}"#),
        (400, #"{"error":"invalid_request","error_description":"Unknown parameter: refresh_token"}"#),
        (400, #"{"error":"invalid_request","error_description":"duplicate refresh_token: invalid"}"#),
        (400, #"{"error":"invalid_request","error_description":"The token request is invalid."}"#),
        (400, #"{"error":"invalid_request","error_description":"Invalid grant_type: refresh_token"}"#),
        (400, #"{"error":"invalid_request","error_description":"The grant type refresh_token is unknown"}"#),
        (400, #"{"error":"invalid_request","error_description":"Invalid content type for the token endpoint"}"#),
        (400, #"{"error":"invalid_request","error_description":"Invalid client or refresh token"}"#),
        (400, #"{"error":"invalid_request","error_description":"The client assertion token has expired"}"#),
        (
            400,
            #"{"error":"invalid_request","error_description":"Invalid Authorization header","error_uri":"https://docs.example/refresh-token"}"#
        ),
        (403, #"{"error":"csrf","error_description":"CSRF token is invalid"}"#),
        (403, #"{"message":"Forbidden"}"#), (401, #"{"message":"Unauthorized"}"#), (400, "Bad Request"), (400, ""),
        (403, "<html><title>Invalid refresh token</title><body>Invalid session token</body></html>"),
        (400, #"{"error":"x","interval":190}"#),
        (200, "{}"), (200, #"{"message":"Invalid client"}"#), (200, "<html>Your session has expired"),
        (200, #"{"token_type":"Bearer","expires_in":190}"#),
        (200, #"{"ok":false,"error":"ratelimited","message":"invalid token rate"}"#),
        // It says no word about the token, or does not speak for the token endpoint.
        (429, #"{"error":"invalid_grant"}"#),
        (429, #"{"error":"rate_limited","error_description":"too many invalid refresh tokens"}"#),
        (407, #"{"error":"invalid_token"}"#), (408, #"{"error":"invalid_grant"}"#),
        (500, #"{"error":"invalid_grant"}"#),
        (503, #"{"error":"bad_refresh_token"}"#), (502, #"{"message":"Invalid refresh token"}"#),
    ]

    @Test("R-06 a refresh token is dead by whatever name the server says so", arguments: deadAnswers)
    func dead(status: Int, body: String) throws {
        let (refresh, error) = (try refresh(), try error(status, body))
        #expect(refresh.isRefused(by: error), "\(error)")
        #expect(refresh.withHint(for: error).kind == .refreshRefused)
        // The same answer to another grant is what its code says.
        #expect(
            try Grant.scoped(.clientCredentials, Document([:])).isRefused(by: error) == (error.code == "invalid_grant"))
    }

    @Test(
        "R-06 a refusal of the client, of the form of the request or for now leaves the refresh token alone",
        arguments: otherAnswers)
    func other(status: Int, body: String) throws {
        let (refresh, error) = (try refresh(), try error(status, body))
        #expect(!refresh.isRefused(by: error), "\(error)")
        #expect(refresh.withHint(for: error).kind != .refreshRefused)
    }

    @Test(
        "a refusal that passes is one by whatever name, and says nothing about the token",
        arguments: [
            "ratelimited", "rate_limited", "rate_limit_exceeded", "slow_down", "Too Many Requests",
            "temporarily_unavailable", "SERVER_ERROR", "ThrottlingException",
        ])
    func temporary(code: String) throws {
        for status in [200, 400] {
            let error = try error(status, #"{"error":"\#(code)","message":"token is invalid for now"}"#)
            #expect(error.isTemporary)
            #expect(try !refresh().isRefused(by: error))
        }
        #expect(try !error(400, #"{"error":"invalid_request"}"#).isTemporary)
    }

    @Test("each number of Microsoft Entra ID decides alone")
    func entra() throws {
        for (number, isDead) in [
            ("50076", true), ("65001", true), ("700082", true), ("700016", false), ("50034", false),
        ] {
            let body = #"{"error":"invalid_request","error_description":"AADSTS\#(number): the token has expired"}"#
            #expect(try refresh().isRefused(by: error(400, body)) == isDead)
        }
    }

    private func refresh() throws -> Grant { try Grant.refresh(Document([:]), refreshToken: "r", scope: nil) }

    private func error(_ status: Int, _ body: String) throws -> OAuthError {
        let type = body.hasPrefix("{") ? "application/json" : body.hasPrefix("<") ? "text/html" : "text/plain"
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)])
        let response = EndpointResponse(head: head, body: Array(body.utf8))
        let expected = TokenResponse.Expectation(grant: .init(named: "refresh_token"), scope: Scope([]))
        let failure = #expect(throws: OAuthError.self) { try TokenResponse(response, expecting: expected) }
        return try #require(failure)
    }
}
