import Wire

@testable import OAuth

/// The documents after a response whose ID token is kept as it came.
extension TokenDocument {
    /// What an exchange makes of a document, by default that of a code.
    static func exchanged(
        _ document: JSONObject, for response: TokenResponse,
        of grant: Grant = Grant(.authorizationCode, scope: Scope([])), method: ClientAuthentication.Method, start: Int
    ) -> JSONObject {
        exchanged(document, for: response, idToken: response.idToken, of: grant, method: method, start: start)
    }

    static func refreshed(_ document: JSONObject, by response: TokenResponse, start: Int) -> JSONObject {
        refreshed(document, by: response, idToken: response.idToken, start: start)
    }
}
