internal import Glibc
internal import HTTP
internal import System
internal import Wire

/// The program of `BROWSER` in the environment of the command: it opens a URL, follows redirects, and sends the form of a
/// page that would send itself. It shows no page to the user.
enum Opener {
    /// What makes the program one.
    static let flag = "--browse"

    /// Opens a URL.
    ///
    /// - Returns: the exit status.
    static func run(_ url: String?) -> Int32 {
        do throws(Failure) {
            guard let url else { throw Failure(.usage, "\(flag) needs a URL") }
            try open(url)
            return Status.done.rawValue
        } catch {
            Diagnostics.tell(error.message)
            return error.status.rawValue
        }
    }

    private static func open(_ first: String) throws(Failure) {
        var request = HTTPRequest(method: "GET", url: first)
        do throws(HTTPError) {
            let client = HTTPClient(
                options: TransportOptions { getenv($0).map { String(cString: $0) } }, over: try Transfers())
            for _ in 0..<Self.longest {
                let response = try client.send(request, maximumBody: 1 << 20)
                guard let next = next(after: response, to: request.url) else {
                    // An error of the server ends the login; how a client answers to its redirect is its own matter.
                    guard response.head.status < 400 || WebURL(request.url)?.origin != WebURL(first)?.origin else {
                        throw HTTPError.malformedResponse("the server answered \(response.head.status)")
                    }
                    return
                }
                request = next
            }
        } catch {
            throw Failure(.unavailable, "cannot open the page: \(error.message)")
        }
        throw Failure(.unavailable, "cannot open the page: too many redirects")
    }

    private static let longest = 20

    /// The request that a browser would send by itself.
    private static func next(after response: HTTPResponse, to url: String) -> HTTPRequest? {
        if (300...399).contains(response.head.status), let location = response.head.headers.first("Location") {
            return WebURL(url)?.resolving(location).map { HTTPRequest(method: "GET", url: $0.withoutFragment) }
        }
        let page = String(decoding: response.body, as: UTF8.self)
        guard page.contains("document.forms[0].submit()"), let action = attributes("action", of: page).first else {
            return nil
        }
        let fields = zip(attributes("name", of: page, after: "type=\"hidden\" "), attributes("value", of: page))
        return HTTPRequest(
            method: "POST", url: action, headers: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(FormEncoding.encode(fields.map { ($0, $1) }).utf8))
    }

    /// The values of an attribute on a page of the sandbox, in order.
    private static func attributes(_ name: String, of page: String, after prefix: String = "") -> [String] {
        var (values, rest) = ([String](), Substring(page))
        while let start = rest.firstRange(of: "\(prefix)\(name)=\"") {
            rest = rest[start.upperBound...]
            let value = String(rest.prefix { $0 != "\"" })
            let entities = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            values.append(entities.reduce(value) { $0.replacing($1.0, with: $1.1) })
        }
        return values
    }
}
