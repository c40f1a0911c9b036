import Foundation
import TestSupport
import Testing
import Wire

/// `oap listen` while it waits for the redirect of a flow that `oap authurl` has made.
struct Listening {
    /// The flow.
    let flow: JSONObject
    /// The program.
    let program: RunningProgram

    /// Makes a flow.
    static func flow(_ arguments: [String] = []) throws -> JSONObject {
        try Program.oap(
            ["authurl", "-n", "--client-id", "c", "--authorization-endpoint", "https://as.example/authorize"]
                + arguments
        ).run().expect(status: 0).object()
    }

    /// The port of the redirect URI.
    var port: Int { redirectURI.port ?? 0 }
    /// The state of the flow.
    var state: String { flow["state"]?.string ?? "" }
    /// `?code=…&state=…` for this flow.
    var query: String { "?code=the-code&state=\(state)" }
    /// The URL to which the browser is redirected.
    var redirect: String { redirectURI.text + query }
    /// The path of the redirect URI.
    var path: String { redirectURI.path }

    private var redirectURI: WebURL {
        guard let url = flow["redirect_uri"]?.string.flatMap({ WebURL($0) }) else {
            preconditionFailure("authurl gives every flow a redirect URI")
        }
        return url
    }

    /// Sends a request, its target, fields and content as given, and gives back the whole answer.
    @discardableResult
    func send(
        _ method: String = "GET", _ target: String, _ fields: [String]? = nil, content: String = "",
        isIPv6: Bool = false
    ) throws -> String {
        let fields = fields ?? ["Host: \(redirectURI.host ?? ""):\(port)"]
        let head = (["\(method) \(target) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n")
        return try RawConnection.exchange(head + content, port: port, isIPv6: isIPv6)
    }

    /// Brings the redirect, and checks that the program has taken it as if nothing had come before.
    @discardableResult
    func finish(isIPv6: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONObject {
        let page = try send("GET", path + query, isIPv6: isIPv6)
        #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("Answer received"), sourceLocation: sourceLocation)
        let result = try program.finish().expect(status: 0, sourceLocation: sourceLocation)
        let document = try result.object()
        #expect(document["callback_url"]?.string == redirect, sourceLocation: sourceLocation)
        return document
    }
}

extension Listening {
    /// Starts `oap listen`, and waits until it has said where to log in.
    init(
        _ flow: JSONObject? = nil, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        self.flow = try flow ?? Self.flow()
        program = try Program.oap(["listen"] + arguments, input: self.flow.input, environment: environment).start()
        _ = try program.errorLine { $0 == self.flow["authorization_url"]?.string }
    }
}
