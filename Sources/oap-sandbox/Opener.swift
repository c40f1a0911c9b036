internal import Glibc
internal import Engine
internal import Errands
internal import HTTP
internal import System
internal import Wire

/// The program of `BROWSER` in the environment of the command: it opens a URL, follows redirects, and sends the form of a
/// page that would send itself. It shows no page to the user. As the opener of a desktop does, it ends when the browser is on
/// its way to the client: a client may wait for it before it listens.
enum Opener {
    /// What makes the program one.
    static let flag = "--browse"
    /// The option for the certificate of the sandbox.
    private static let trust = "--cacert"
    /// The variable with the request of an opener in the background: a method, a URL and the content.
    private static let hop = "SANDBOX_BROWSER_REQUEST"

    /// The words for `BROWSER`; the path of the certificate has no spaces.
    static func words(certificate: String?) -> String { "\(flag) \(certificate.map { "\(trust) \($0) " } ?? "")%s" }

    /// Opens a URL.
    ///
    /// - Parameter words: the certificate to trust, if there is one, and the URL, which is the last word: some programs
    ///   replace `%s` by it, others append it.
    /// - Returns: the exit status.
    static func run(_ words: [String]) -> Int32 {
        let certificate = words.first == trust ? words.dropFirst().first : nil
        do throws(Failure) {
            if let request = getenv(hop).flatMap({ HTTPRequest(hop: String(cString: $0)) }) {
                try open(request, trusting: certificate, isLast: true)
            } else {
                guard let url = words.last, url != trust, url != certificate else {
                    throw Failure(.usage, "\(flag) needs a URL")
                }
                try open(HTTPRequest(method: "GET", url: url), trusting: certificate)
            }
            return Status.done.rawValue
        } catch {
            Diagnostics.tell(error.message)
            return error.status.rawValue
        }
    }

    /// Carries out a request and those that follow from it: all of them if it is the last, to the client.
    private static func open(_ first: HTTPRequest, trusting certificate: String?, isLast: Bool = false) throws(Failure)
    {
        let leaving: HTTPRequest?
        do throws(HTTPError) {
            leaving = try follow(first, trusting: certificate, isLast: isLast)
        } catch {
            throw Failure(.unavailable, "cannot open the page: \(error.message)")
        }
        if let leaving { try passOn(leaving, certificate) }
    }

    /// The request that leaves the sandbox for the client; nil if there is none, or if it was carried out.
    private static func follow(
        _ first: HTTPRequest, trusting certificate: String?, isLast: Bool
    ) throws(HTTPError) -> HTTPRequest? {
        var request = first
        var options = TransportOptions { getenv($0).map { String(cString: $0) } }
        options.route.caCertificateFile = certificate ?? options.route.caCertificateFile
        if isLast { options.maximumTime = longestAnswer }
        let engine = Engine(options: { [options] in options }, open: { () throws(HTTPError) in try Transfers() })
        for _ in 0..<longest {
            let asked = ServerRequest(message: request)
            let response = try engine.run(Attempt.send(asked) { result, _ in .done(result) })
            guard let next = next(after: response, to: request.url) else {
                // An error of the server ends the login; how a client answers to its redirect is its own matter.
                guard response.head.status < 400 || isLast else {
                    throw HTTPError.malformedResponse("the server answered \(response.head.status)")
                }
                return nil
            }
            guard isLast || WebURL(next.url)?.origin == WebURL(first.url)?.origin else { return next }
            request = next
        }
        throw HTTPError.malformedResponse("there are too many redirects")
    }

    private static let longest = 20
    /// How long the client may take to answer the redirect, in seconds.
    private static let longestAnswer: Double = 60

    /// Starts the program that sends the redirect to the client: this one again, or the desktop's for a scheme that is not
    /// the web's.
    private static func passOn(_ request: HTTPRequest, _ certificate: String?) throws(Failure) {
        var program: ProgramStart
        if ["http", "https"].contains(WebURL(request.url)?.scheme) {
            program = ProgramStart(
                ["/proc/self/exe", flag] + (certificate.map { [trust, $0] } ?? []),
                variables: ProcessWords.variables + ["\(hop)=\(request.hop)"])
        } else {
            // gio(1) needs no display; BROWSER would be this program again.
            program = ProgramStart(
                ["gio", "open", request.url], variables: ProcessWords.variables.filter { !$0.hasPrefix("BROWSER=") })
        }
        program.streams = .none
        program.hasOwnSession = true
        let name = program.words[0] == "gio" ? "gio (Debian: libglib2.0-bin)" : program.words[0]
        _ = try Failure.system("cannot start \(name) for the redirect", try program.start())
    }

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
            values.append(String(rest.prefix { $0 != "\"" }).withoutReferences.text)
        }
        return values
    }
}

extension HTTPRequest {
    fileprivate var hop: String { "\(method) \(url)\n" + String(decoding: body ?? [], as: UTF8.self) }

    fileprivate init?(hop: String) {
        guard let (line, content) = hop.cut(at: "\n"), let (method, url) = line.cut(at: " ") else { return nil }
        self.init(method: method, url: url)
        guard method == "POST" else { return }
        headers = [HTTPField("Content-Type", "application/x-www-form-urlencoded")]
        body = Array(content.utf8)
    }
}
