package import CommandSpec

/// The options of `call`, as curl and gh have them (oap-call(1)).
package enum CallOption {
    private static let request = "Request"
    private static let body = "Body"

    /// The methods that are known by name.
    package static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    package static let method = Option(
        "request", short: "X", argument: "METHOD", otherwise: "GET, or POST with a body",
        completes: .words(methods), section: request,
        summary: "the method")
    package static let header = Option(
        "header", short: "H", argument: "FIELD", isRepeatable: true, completes: .filesAfter(.at), section: request,
        summary: "add a header field")
    package static let userAgent = Option(
        "user-agent", short: "A", argument: "NAME", section: request, summary: "the User-Agent")
    package static let query = Option(
        "query", argument: "NAME=VALUE", isRepeatable: true, form: .pair, section: request,
        summary: "add a query parameter")
    package static let http11 = Option("http1.1", section: request, summary: "use HTTP/1.1")
    package static let compressed = Option(
        "compressed", section: request, summary: "ask for a compressed response (the default)")
    package static let noCrossOrigin = Option(
        "no-cross-origin", section: request, summary: "refuse redirects to another origin")
    package static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: request,
        summary: "send the token to another origin")
    package static let anonymous = Option("anonymous", section: request, summary: "send no token")
    package static let dryRun = Option(
        "dry-run", section: request, wording: GeneralOption.dryRun, summary: "print the request as a curl command")

    package static let cache = Option(
        "cache", argument: "SECONDS", form: .seconds(takesZero: true), section: request,
        summary: "use a response that is not older")

    package static let data = Option(
        "data", short: "d", argument: "DATA", isRepeatable: true, completes: .filesAfter(.at), section: body,
        summary: "send a form")
    static let dataRaw = Option(
        "data-raw", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, without @FILE")
    package static let dataBinary = Option(
        "data-binary", argument: "DATA", isRepeatable: true, completes: .filesAfter(.at), section: body,
        summary: "as -d, but files keep line ends")
    package static let dataURLEncode = Option(
        "data-urlencode", argument: "DATA", isRepeatable: true, completes: .filesAfter(.nameAt), section: body,
        summary: "as -d, encoded")

    /// The options that set the body.
    package static let bodies = dataBodies + [json, rawField, field, inputFile, form, formString, uploadFile]
    /// The options that add to one body as `-d` does.
    package static let dataBodies = [data, dataRaw, dataBinary, dataURLEncode]
    package static let get = Option("get", short: "G", section: body, summary: "send the data of -d in the query")
    package static let json = Option(
        "json", argument: "JSON", isRepeatable: true, completes: .filesAfter(.at), section: body, summary: "send JSON")
    package static let rawField = Option(
        "raw-field", short: "f", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "add a string to a JSON body")
    package static let field = Option(
        "field", short: "F", argument: "NAME=VALUE", isRepeatable: true, completes: .filesAfter(.nameIs), section: body,
        summary: "add a typed member to a JSON body")
    package static let inputFile = Option.file("input", section: body, summary: "send a file as the body")

    package static let form = Option(
        "form", argument: "NAME=VALUE", isRepeatable: true, completes: .filesAfter(.nameIs), section: body,
        summary: "send a multipart form")
    package static let formString = Option(
        "form-string", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "as --form, with VALUE unchanged")
    package static let uploadFile = Option.file(
        "upload-file", short: "T", section: body, summary: "upload a file with PUT")

    package static let remoteName = Option(
        "remote-name", short: "O", section: OutputOption.section,
        summary: "write the result to a file named as in the URL")

    package static let continueAt = Option(
        "continue-at", short: "C", argument: "-", choices: ["-"], section: OutputOption.section,
        summary: "go on with an incomplete download")

    package static let include = Option(
        "include", short: "i", section: OutputOption.section, summary: "print status line and headers first")
    package static let envelope = Option(
        "envelope", section: OutputOption.section, summary: "print status, headers, URL and body as JSON")
    package enum ErrorBody: String, CaseIterable { case stderr, stdout, none }
    package static let errorBody = Option(
        "error-body", argument: "WHERE", choices: ErrorBody.allCases.map(\.rawValue), standard: "stderr",
        section: OutputOption.section, summary: "where the body of an error goes")

    package static let retryAllMethods = Option(
        "retry-all-methods", section: RetryOption.section, summary: "send POST and PATCH again too")
    package static let idempotencyKey = Option(
        "idempotency-key", attached: "KEY", section: RetryOption.section,
        summary: "let the server recognise a repeated request")

    package static let silent = Option("silent", short: "s", section: OutputOption.section, summary: "show no progress")

    /// Flags of curl for behaviour that is the default here.
    static let habits = [
        Option("show-error", short: "S", section: request, summary: "ignored; errors are always shown"),
        Option("location", short: "L", section: request, summary: "ignored; redirects are followed"),
        Option("fail", section: request, summary: "ignored; status 400 and above always fails"),
    ]

    /// The options of the request, the body and the result.
    package static let all =
        [
            method, header, userAgent, query, data, dataRaw, dataBinary, dataURLEncode, get, json, rawField, field,
            inputFile, form, formString, uploadFile,
            RetryOption.retry, RetryOption.retryDelay, RetryOption.retryMaxTime, retryAllMethods, idempotencyKey,
            remoteName, continueAt,
            include, envelope, errorBody,
            silent, noCrossOrigin, allowOrigin, anonymous, dryRun, http11, compressed, cache,
        ] + habits
}

/// The options of `call --batch` (oap-call(1), BATCH).
package enum BatchOption {
    private static let section = "Batch"

    package static let batch = Option("batch", section: section, summary: "send the requests on standard input")
    package static let ordered = Option(
        "ordered", section: section, summary: "print the answers in the order of the requests")
    package static let standardWidth = 8
    package static let parallel = Option(
        "parallel", argument: "NUMBER", form: .number(1...256), standard: String(standardWidth), section: section,
        summary: "how many requests at a time")
    package static let rate = Option(
        "rate", argument: "NUMBER/UNIT", form: .rate, section: section, summary: "how many requests in a unit of time")
    package static let resume = Option.file("resume", section: section, summary: "go on where the last run ended")

    package static let shard = Option(
        "shard", argument: "I/N", section: section, summary: "send the part I of N parts of the lines")

    package static let all = [batch, ordered, parallel, rate, resume, shard]
}

/// The options of `call` for responses that are filtered item by item (oap-call(1), STREAMS).
package enum StreamOption {
    private static let section = "Streams"

    package static let streamEach = Option(
        "stream-each", argument: "FILTER", section: section, summary: "run a jq filter on each element of an array")
    package static let maxItems = Option(
        "max-items", argument: "NUMBER", form: .number(from: 1), section: section,
        summary: "end after this many events or elements")

    package static let all = [streamEach, maxItems]
}

/// The options of `call` for responses in pages.
package enum PageOption {
    private static let section = "Pages"

    package static let paginate = Option("paginate", section: section, summary: "request all pages of a list")
    package static let next = Option(
        "next", argument: "FILTER", section: section, summary: "a jq filter that gives the next page")
    package static let maxPages = Option(
        "max-pages", argument: "NUMBER", form: .number(from: 1), section: section, summary: "how many pages at most")
    package static let slurp = Option("slurp", section: section, summary: "make one array of all pages")

    package static let all = [paginate, next, maxPages, slurp]
}

/// How often requests are sent again; curl has the same options.
package enum RetryOption {
    package static let section = "Retries"
    package static let retry = Option(
        "retry", argument: "NUMBER", form: .number(0...1_000_000), standard: "5", section: section,
        summary: "how often to try again")
    static let retryDelay = Option(
        "retry-delay", argument: "SECONDS", form: .seconds(takesZero: true), section: section,
        summary: "the pause before a retry")
    static let retryMaxTime = Option(
        "retry-max-time", argument: "SECONDS", form: .seconds(takesZero: true), standard: "300", section: section,
        summary: "how long all attempts may take")
    /// The options of every command that gets a token without a person, or gives one back.
    package static let all = [retry, retryDelay, retryMaxTime]
}
