import Testing
import Wire

@testable import OAuth

@Suite("A role of AWS for a web identity")
struct WebIdentityRoleTests {
    private static let arn = "arn:aws:iam::123456789012:role/reader"

    @Test(
        "the endpoint is that of the region",
        arguments: [
            (nil, "https://sts.amazonaws.com/"), ("eu-central-1", "https://sts.eu-central-1.amazonaws.com/"),
            ("cn-north-1", "https://sts.cn-north-1.amazonaws.com.cn/"),
        ])
    func region(region: String?, url: String) throws {
        #expect(try role(region: region).endpoint.url.text == url)
    }

    @Test("what is no role, session, duration, region or endpoint is refused before anything is sent")
    func refused() {
        let wrong: [() throws -> WebIdentityRole] = [
            { try role(arn: "reader") }, { try role(arn: "arn:aws:iam::1:role/a b, and more") },
            { try role(session: "x") }, { try role(session: "a b") }, { try role(duration: 899) },
            { try role(duration: 43_201) }, { try role(region: "") }, { try role(region: "x.example/") },
            { try role(endpoint: "http://sts.example/") }, { try role(endpoint: "x") },
        ]
        for make in wrong { #expect(throws: OAuthError.self) { try make() } }
    }

    @Test("the request names action, version, role, session and token")
    func request() throws {
        let request = try role(duration: 900).request(with: "a+b")
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012"
                + "%3Arole%2Freader&RoleSessionName=oap&DurationSeconds=900&WebIdentityToken=a%2Bb&ContentType=JSON")
        #expect(request.headers.first("Accept") == "application/json")
    }

    @Test("a response without one of the four values, or of another form, is refused")
    func incomplete() throws {
        let names = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"]
        func body(without missing: String?) -> String {
            let values = names.filter { $0 != missing }.map { #""\#($0)":"v-\#($0)""# }.joined(separator: ",")
            let result = #"{"AssumeRoleWithWebIdentityResult":{"Credentials":{\#(values)}}}"#
            return #"{"AssumeRoleWithWebIdentityResponse":\#(result)}"#
        }
        let credentials = try read(200, body(without: nil))
        #expect(credentials["Version"] == .integer(1) && credentials["SessionToken"]?.string == "v-SessionToken")
        for name in names {
            #expect(try error(200, body(without: name)).kind == .invalidResponse)
            for value in ["", " ", "a b", "\u{7F}"] {
                let text = body(without: nil).replacing("v-\(name)", with: value)
                #expect(try error(200, text).kind == .invalidResponse, "\(name): \(value)")
            }
        }
        #expect(try error(200, "{}").kind == .invalidResponse)
        let seconds = body(without: nil).replacing(#""v-Expiration""#, with: "1.8e9")
        #expect(try read(200, seconds)["Expiration"] == "2027-01-15T08:00:00Z")
        let refusal = #"{"Error":{"Code":"ExpiredTokenException","Message":"late"}}"#
        let refused = try error(400, refusal)
        #expect(refused.kind == .oauth && refused.code == "ExpiredTokenException" && refused.message.hasSuffix("late"))
        #expect(try error(500, refusal).kind == .httpStatus && error(403, "no").kind == .httpStatus)
        #expect(try error(302, "").kind == .redirectRefused)
    }

    private func role(
        arn: String = arn, session: String = "oap", duration: Int? = nil, region: String? = nil, endpoint: String? = nil
    ) throws -> WebIdentityRole {
        try WebIdentityRole(arn: arn, session: session, duration: duration, region: region, endpoint: endpoint)
    }

    private func read(_ status: Int, _ body: String) throws -> JSONObject {
        try role().credentials(
            HTTPResponse(head: HTTPResponseHead(status: status, headers: []), body: Array(body.utf8)))
    }

    private func error(_ status: Int, _ body: String) throws -> OAuthError {
        try #require(#expect(throws: OAuthError.self) { try read(status, body) })
    }
}
