import Wire

@testable import OAuth

extension TokenDocument {
    /// What an exchange of a code makes of a document.
    static func exchanged(
        _ document: JSONObject, for response: TokenResponse, method: ClientAuthentication.Method, start: Int
    ) -> JSONObject {
        exchanged(
            document, for: response, of: Grant(.authorizationCode, scope: Scope([])), method: method, start: start)
    }
}
