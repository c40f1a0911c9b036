internal import CommandSpec

/// The options of `call`, as curl and gh have them (oap-call(1)).
enum CallOption {
    private static let request = "Request"
    private static let body = "Body"
    private static let retries = "Retries"

    static let method = Option(
        "request", short: "X", argument: "METHOD", otherwise: "GET, or POST with a body",
        completes: .words(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]), section: request,
        summary: "the method",
        details: "The method. By default `GET`, or `POST` with a body.")
    static let header = Option(
        "header", short: "H", argument: "FIELD", isRepeatable: true, section: request, summary: "add a header field",
        details: """
            `Name: value`. `Name;` sends an empty value, `Name:` removes a default field, `@FILE` reads fields from a \
            file, one a line. `Authorization` and `DPoP` cannot be set.
            """)
    static let userAgent = Option(
        "user-agent", short: "A", argument: "NAME", section: request, summary: "the User-Agent",
        details: "The value of the `User-Agent` field.")
    static let query = Option(
        "query", argument: "NAME=VALUE", isRepeatable: true, section: request, summary: "add a query parameter",
        details: "Adds a parameter to the query of the URL, encoded.")
    static let http11 = Option(
        "http1.1", section: request, summary: "use HTTP/1.1",
        details: """
            Uses HTTP/1.1 and does not offer HTTP/2 to the server.
            """)
    static let compressed = Option(
        "compressed", section: request, summary: "ask for a compressed response (the default)",
        details: """
            Has no effect, and exists for compatibility with curl: responses are always requested in compressed form \
            and decompressed.
            """)
    static let noCrossOrigin = Option(
        "no-cross-origin", section: request, summary: "refuse redirects to another origin",
        details: """
            Fails with exit status 9 at a redirect to another origin. By default such a redirect is followed without \
            the token and any other credential.
            """)
    static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: request,
        summary: "send the token to another origin",
        details: """
            Sends the token to this origin too, such as `https://api.example`. It is needed only if the document limits \
            the token to origins, with `api_base`, `resource` or `api_origins`.
            """)
    static let anonymous = Option(
        "anonymous", section: request, summary: "send no token",
        details: """
            Sends no token and reads none. A document is read only if the operand is a path, which needs the `api_base`.
            """)
    static let dryRun = Option(
        "dry-run", section: request, summary: "print the request as a curl command",
        details: "Sends nothing. Prints the request as a curl command line, with variables in place of secrets.")

    static let cache = Option(
        "cache", argument: "SECONDS", section: request, summary: "use a response that is not older",
        details: """
            Uses the stored response of an earlier run with `--cache` if it is at most this many seconds old. For an \
            older one, the server is asked whether it has changed. The response is stored for later runs. The method \
            must be `GET`. See CACHE.
            """)

    static let data = Option(
        "data", short: "d", argument: "DATA", isRepeatable: true, section: body, summary: "send a form",
        details: """
            As in curl: the body, sent as a form; several are joined with `&`. `@FILE` reads a file and removes its \
            line ends; `@-` reads standard input, if the token does not come from there.
            """)
    static let dataRaw = Option(
        "data-raw", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, without @FILE",
        details: "As in curl: like `-d`, but a leading `@` has no special meaning.")
    static let dataBinary = Option(
        "data-binary", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, but files keep line ends",
        details: "As in curl: like `-d`, but a file keeps its line ends.")
    static let dataURLEncode = Option(
        "data-urlencode", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, encoded",
        details: "As in curl: `content`, `=content`, `name=content`, `@file` or `name@file`; the content is encoded.")
    static let get = Option(
        "get", short: "G", section: body, summary: "send the data of -d in the query",
        details: "As in curl: send the `-d` data in the query string of a `GET`.")
    static let json = Option(
        "json", argument: "JSON", isRepeatable: true, section: body, summary: "send JSON",
        details: "As in curl: the body, sent and asked for as `application/json`; `@FILE` reads a file.")
    static let rawField = Option(
        "raw-field", short: "f", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "add a string to a JSON body",
        details: """
            As in gh: a member of a JSON object, always a string. `a[b]=c` nests, `a[]=c` makes an array. With \
            `-X GET` it goes into the query.
            """)
    static let field = Option(
        "field", short: "F", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "add a typed member to a JSON body",
        details: """
            As in gh: like `-f`, but `true`, `false`, `null` and whole numbers become JSON values, and `@FILE` becomes \
            the content of a file as a string.
            """)
    static let inputFile = Option(
        "input", argument: "FILE", completes: .files, section: body, summary: "send a file as the body",
        details: """
            As in gh: sends the file as the body, with the type `application/json` unless `-H` sets another. The file \
            is not read into memory. `-` reads the body from standard input: then the token comes from a name, \
            from `--token-file`, or with `-n` from the environment.
            """)

    static let form = Option(
        "form", argument: "NAME=VALUE", isRepeatable: true, section: body, summary: "send a multipart form",
        details: """
            A part of a `multipart/form-data` body, as `-F` in curl. `NAME=@FILE` sends a file; `;type=TYPE` after it \
            sets its media type, and `;filename=NAME` its name. `@-` reads standard input, if the token does not come \
            from there. A plain `NAME=VALUE`, without a file, may end with `;type=TYPE` as well.
            """)
    static let uploadFile = Option(
        "upload-file", short: "T", argument: "FILE", completes: .files, section: body,
        summary: "upload a file with PUT",
        details: """
            As in curl: sends the file as the body of a `PUT`, without a Content-Type unless `-H` sets one. The file is not \
            read into memory. The name of the file is added to a URL that ends with a slash. `-` reads standard input, \
            if the token does not come from there.
            """)

    static let remoteName = Option(
        "remote-name", short: "O", section: OutputOption.section,
        summary: "write the result to a file named as in the URL",
        details: """
            As `-o`, with the last segment of the URL's path as the name of the file, in the current directory. A URL \
            that ends with a slash, and a name that begins with a dot, are refused.
            """)

    static let continueAt = Option(
        "continue-at", short: "C", argument: "-", section: OutputOption.section,
        summary: "go on with an incomplete download",
        details: """
            Keeps an incomplete download in a file beside that of `-o` or `-O`, and continues it in the next run of \
            the same command. It is written `-C -`. See DOWNLOADS.
            """)

    static let include = Option(
        "include", short: "i", section: OutputOption.section, summary: "print status line and headers first",
        details: "Prints the status line and the header fields before the body, as in curl.")
    static let envelope = Option(
        "envelope", section: OutputOption.section, summary: "print status, headers, URL and body as JSON",
        details: "Prints one object with `status`, `headers` (names in lower case), `url` and `body`.")
    static let errorBody = Option(
        "error-body", argument: "WHERE", choices: ["stderr", "stdout", "none"], standard: "stderr",
        section: OutputOption.section, summary: "where the body of an error goes",
        details: """
            Where to print the body of a response with status 400 or above. With `stdout` it is the result, and goes \
            through the filter if there is one; `--include` and `--envelope` imply this. The exit status is the same \
            in all cases.
            """)

    static let retry = Option(
        "retry", argument: "NUMBER", standard: "5", section: retries, summary: "how often to try again",
        details: """
            How often the request is sent again after a temporary failure; with 0 it never is. See RETRIES.
            """)
    static let retryDelay = Option(
        "retry-delay", argument: "SECONDS", section: retries, summary: "the pause before a retry",
        details: "As in curl: the pause before each retry, unless the server asks for a longer one.")
    static let retryMaxTime = Option(
        "retry-max-time", argument: "SECONDS", standard: "300", section: retries,
        summary: "how long all attempts may take",
        details: """
            No attempt begins more than this many seconds after the first one. If the server asks for a pause that \
            would end later, the command fails at once.
            """)
    static let retryAllMethods = Option(
        "retry-all-methods", section: retries, summary: "send POST and PATCH again too",
        details: """
            Sends a request of any method again after a temporary failure, even if the server may already have carried \
            it out. `--idempotency-key` makes this safe.
            """)
    static let idempotencyKey = Option(
        "idempotency-key", attached: "KEY", section: retries, summary: "let the server recognise a repeated request",
        details: """
            Sends an `Idempotency-Key` field with the same key at each attempt, so that a POST can be sent again: \
            servers that know this field (Stripe and others) carry the request out only once. Without a value the key \
            is random.
            """)

    private static let ignored = "Has no effect, and exists for compatibility with curl."

    static let silent = Option(
        "silent", short: "s", section: OutputOption.section, summary: "show no progress",
        details: """
            Does not show the progress of a download, of pages or of a batch on standard error. Errors are still shown.
            """)

    /// Flags of curl for behaviour that is the default here.
    static let habits = [
        Option(
            "show-error", short: "S", section: request, summary: "ignored; errors are always shown", details: ignored),
        Option(
            "location", short: "L", section: request, summary: "ignored; redirects are followed", details: ignored),
        Option(
            "fail", section: request, summary: "ignored; status 400 and above always fails",
            details: ignored + " `-f` is `--raw-field` here, as in gh."),
    ]

    /// The options of the request, the body and the result.
    static let all =
        [
            method, header, userAgent, query, data, dataRaw, dataBinary, dataURLEncode, get, json, rawField, field,
            inputFile, form, uploadFile,
            retry, retryDelay, retryMaxTime, retryAllMethods, idempotencyKey, remoteName, continueAt,
            include, envelope, errorBody,
            silent, noCrossOrigin, allowOrigin, anonymous, dryRun, http11, compressed, cache,
        ] + habits
}
