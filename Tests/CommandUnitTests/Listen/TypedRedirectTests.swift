import OAuth
import Testing

@testable import Login

@Suite("The redirected URL that is typed")
struct TypedRedirectTests {
    private let flow = Document([
        "state": "s", "redirect_uri": "http://127.0.0.1:9/cb", "issuer": "https://as.example",
        "code_verifier": "v", "client_id": "c",
    ])

    @Test(
        "the redirected URL of the login is taken, also if it says no; what is of another login is not",
        arguments: [
            ("http://127.0.0.1:9/cb?code=c&state=s", nil),
            ("http://127.0.0.1:9/cb?error=access_denied&state=s", nil),
            ("http://127.0.0.1:9/cb?code=c&state=other", .stateMismatch),
            ("http://127.0.0.1:9/cb?code=c", .stateMissing),
            ("http://127.0.0.1:9/cb?error=access_denied&state=other", .stateMismatch),
            ("code=c&state=s", .unreadableResponse),
        ] as [(String, ErrorKind?)])
    func typed(text: String, refusal: ErrorKind?) {
        var kind: ErrorKind?
        do throws(OAuthError) { try TypedRedirect.check(text, for: flow) } catch { kind = error.kind }
        #expect(kind == refusal)
    }
}
