internal import CommandSpec

/// The options of `call`, as curl and gh have them (oap-call(1)).
enum CallOption {
    private static let request = "Request"
    private static let body = "Body"
    private static let retries = "Retries"

    /// The methods that are known by name.
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    static let method = Option(
        "request", short: "X", argument: "METHOD", otherwise: "GET, or POST with a body",
        completes: .words(methods), section: request,
        summary: "the method",
        details: "The method of the request. The default is `GET`, or `POST` if there is a body.")
    static let header = Option(
        "header", short: "H", argument: "FIELD", isRepeatable: true, completes: .filesAfter(.at), section: request,
        summary: "add a header field",
        details: """
            Adds a header field, written `Name: value`. `Name;` adds the field with an empty value. `Name:` removes a \
            field that `oap` would send. `@FILE` reads the fields from a file, one field per line. This option cannot \
            set `Authorization` and `DPoP`.
            """)
    static let userAgent = Option(
        "user-agent", short: "A", argument: "NAME", section: request, summary: "the User-Agent",
        details: "The value of the `User-Agent` field.")
    static let query = Option(
        "query", argument: "NAME=VALUE", isRepeatable: true, section: request, summary: "add a query parameter",
        details: "Adds a parameter to the query of the URL. `oap` percent-encodes the name and the value.")
    static let http11 = Option(
        "http1.1", section: request, summary: "use HTTP/1.1",
        details: "Uses HTTP/1.1, even if the server supports HTTP/2.")
    static let compressed = Option(
        "compressed", section: request, summary: "ask for a compressed response (the default)",
        details: """
            Has no effect, and exists for compatibility with `curl`. `oap` always asks for a compressed response, and \
            decompresses it.
            """)
    static let noCrossOrigin = Option(
        "no-cross-origin", section: request, summary: "refuse redirects to another origin",
        details: """
            If the API redirects to another origin, the command fails with exit status 9. Without this option, `oap` \
            follows the redirect without credentials: it sends no token, no client certificate and no field such as \
            `Cookie`.
            """)
    static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: request,
        summary: "send the token to another origin",
        details: """
            Allows `oap` to send the token to this origin, for example `https://api.example`. A single request needs \
            this option only if the document names origins for the token, but not this origin. For several requests, \
            see PAGES and BATCH.
            """)
    static let anonymous = Option(
        "anonymous", section: request, summary: "send no token",
        details: """
            Sends no token. If the URL is absolute, no document is read. If the URL is a path, the document is read \
            for its `api_base`. With a name, the profile of this name has the `api_base`. If there is no such profile, \
            `oap` takes the `api_base` of the stored token.
            """)
    static let dryRun = Option(
        "dry-run", section: request, summary: "print the request as a curl command",
        details: """
            Prints the request as a `curl` command line, and sends nothing. In place of each secret, the command line \
            has a shell variable.
            """)

    static let cache = Option(
        "cache", argument: "SECONDS", section: request, summary: "use a response that is not older",
        details: """
            Uses the response that an earlier run with `--cache` stored, if this response is younger than this number \
            of seconds. If the stored response is older, `oap` asks the server whether the response has changed. `oap` \
            stores each new response. The method must be `GET`. See CACHE.
            """)

    static let data = Option(
        "data", short: "d", argument: "DATA", isRepeatable: true, completes: .filesAfter(.at), section: body,
        summary: "send a form",
        details: """
            As in `curl`: sends DATA as the body, with the type `application/x-www-form-urlencoded`. If the option is \
            given several times, the values are joined with `&`. `@FILE` reads a file and removes its line ends. `@-` \
            reads standard input. The command fails if it must read the token document from standard input too.
            """)
    static let dataRaw = Option(
        "data-raw", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, without @FILE",
        details: "As in `curl`: like `-d`, but a value that begins with `@` is not the name of a file.")
    static let dataBinary = Option(
        "data-binary", argument: "DATA", isRepeatable: true, completes: .filesAfter(.at), section: body,
        summary: "as -d, but files keep line ends",
        details: "As in `curl`: like `-d`, but the line ends of a file are not removed.")
    static let dataURLEncode = Option(
        "data-urlencode", argument: "DATA", isRepeatable: true, completes: .filesAfter(.nameAt), section: body,
        summary: "as -d, encoded",
        details: """
            As in `curl`: like `-d`, but encodes the content. DATA has one of the forms `content`, `=content`, \
            `name=content`, `@file` and `name@file`. The content, or the content of the file, is percent-encoded. The \
            name is sent unchanged.
            """)
    /// The options that set the body; those of one group add to one body.
    static let bodies = [
        [data, dataRaw, dataBinary, dataURLEncode], [json], [rawField, field], [inputFile], [form, formString],
        [uploadFile],
    ]
    static let get = Option(
        "get", short: "G", section: body, summary: "send the data of -d in the query",
        details: "As in `curl`: sends the data of `-d` in the query of the URL, with the method `GET`.")
    static let json = Option(
        "json", argument: "JSON", isRepeatable: true, completes: .filesAfter(.at), section: body, summary: "send JSON",
        details: """
            As in `curl`: sends this JSON as the body, and asks for a response in JSON. `@FILE` reads a file.
            """)
    static let rawField = Option(
        "raw-field", short: "f", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "add a string to a JSON body",
        details: """
            As in `gh`: the body is a JSON object, and this option adds a member to it. The value is always a string. \
            `a[b]=c` adds the member `b` to the object `a`. `a[]=c` adds an element to the array `a`. `a[]` without \
            `=` makes an empty array. With `-X GET`, the members are sent as parameters in the query of the URL.
            """)
    static let field = Option(
        "field", short: "F", argument: "NAME=VALUE", isRepeatable: true, completes: .filesAfter(.nameIs), section: body,
        summary: "add a typed member to a JSON body",
        details: """
            As in `gh`: like `-f`, but `true`, `false`, `null` and whole numbers are sent as JSON booleans, null and \
            numbers, not as strings. For the value `@FILE`, the content of the file is sent as a string.
            """)
    static let inputFile = Option(
        "input", argument: "FILE", completes: .files, section: body, summary: "send a file as the body",
        details: """
            As in `gh`: sends the file as the body. The type of the body is `application/json`, unless `-H` sets \
            another type. The file is not read into memory. `-` reads the body from standard input. In this case, give \
            the token with `-p`, with `--token-file`, or with `-n` and the environment variable `OAP_ACCESS_TOKEN`.
            """)

    static let form = Option(
        "form", argument: "NAME=VALUE", isRepeatable: true, completes: .filesAfter(.nameIs), section: body,
        summary: "send a multipart form",
        details: """
            Adds a part to a body of the type `multipart/form-data`, as `-F` does in `curl`. `NAME=@FILE` sends a \
            file. `NAME=<FILE` sends the content of a file as a value, without a file name. `;type=TYPE` after FILE or \
            VALUE sets the media type of the part. `;filename=NAME` after `@FILE` sets the file name that the server \
            gets. FILE, VALUE, TYPE and NAME can be in double quotes, for example `f=@"a;b.txt"`. So `f="<x"` sends \
            the text `<x`. `@-` and `<-` read standard input. The command fails if it must read the token document \
            from standard input too.
            """)
    static let formString = Option(
        "form-string", argument: "NAME=VALUE", isRepeatable: true, section: body,
        summary: "as --form, with VALUE unchanged",
        details: """
            As in `curl`: like `--form`, but VALUE is sent unchanged. In VALUE, `@`, `<`, `;` and double quotes have \
            no special meaning.
            """)
    static let uploadFile = Option(
        "upload-file", short: "T", argument: "FILE", completes: .files, section: body,
        summary: "upload a file with PUT",
        details: """
            As in `curl`: sends the file as the body of a `PUT` request. `oap` sends no `Content-Type`, unless `-H` \
            sets one. The file is not read into memory. If the URL ends with a slash, `oap` appends the name of the \
            file to the URL. `-` reads standard input. The command fails if it must read the token document from \
            standard input too.
            """)

    static let remoteName = Option(
        "remote-name", short: "O", section: OutputOption.section,
        summary: "write the result to a file named as in the URL",
        details: """
            Writes the output to a file in the current directory, as `-o` does. The name of the file is the last \
            segment in the path of the URL. The command fails if the URL ends with a slash, or if the last segment \
            begins with a dot.
            """)

    static let continueAt = Option(
        "continue-at", short: "C", argument: "-", choices: ["-"], section: OutputOption.section,
        summary: "go on with an incomplete download",
        details: """
            If the download ends early, `oap` keeps the arrived bytes in a file beside the output file of `-o` or \
            `-O`. The next run of the same command continues the download. The value is always `-`. See DOWNLOADS.
            """)

    static let include = Option(
        "include", short: "i", section: OutputOption.section, summary: "print status line and headers first",
        details: "As in `curl`: prints the status line and the header fields before the body.")
    static let envelope = Option(
        "envelope", section: OutputOption.section, summary: "print status, headers, URL and body as JSON",
        details: "Prints an object with the members `status`, `headers` (names in lower case), `url` and `body`.")
    static let errorBody = Option(
        "error-body", argument: "WHERE", choices: ["stderr", "stdout", "none"], standard: "stderr",
        section: OutputOption.section, summary: "where the body of an error goes",
        details: """
            Decides where `oap` prints the body of a response with a status of 400 or above. With `stderr`, the \
            default, `oap` prints the body on standard error. With `stdout`, `oap` filters and prints the body like \
            the body of any other response. With `none`, the body is not printed. `--include` and `--envelope` imply \
            `stdout`. The exit status does not depend on this option.
            """)

    static let retry = Option(
        "retry", argument: "NUMBER", standard: "5", section: retries, summary: "how often to try again",
        details: """
            The largest number of retries after a temporary failure. With 0, the request is never sent again. See \
            RETRIES.
            """)
    static let retryDelay = Option(
        "retry-delay", argument: "SECONDS", section: retries, summary: "the pause before a retry",
        details: """
            As in `curl`: the pause before each retry. If the server asks for a longer pause, `oap` waits that long.
            """)
    static let retryMaxTime = Option(
        "retry-max-time", argument: "SECONDS", standard: "300", section: retries,
        summary: "how long all attempts may take",
        details: """
            No retry begins later than this many seconds after the first attempt. If the server asks for a pause that \
            ends after this time, the command fails at once.
            """)
    static let retryAllMethods = Option(
        "retry-all-methods", section: retries, summary: "send POST and PATCH again too",
        details: """
            Sends a request with any method again after a temporary failure, even if the server may have carried out \
            the request. If the server supports the `Idempotency-Key` field, add `--idempotency-key`.
            """)
    static let idempotencyKey = Option(
        "idempotency-key", attached: "KEY", section: retries, summary: "let the server recognise a repeated request",
        details: """
            Sends the same `Idempotency-Key` field with each attempt, so that `oap` can send a `POST` again. A server \
            that supports this field, such as Stripe, carries out the request only once. Without a value, the key is \
            random.
            """)

    private static let ignored = "Has no effect, and exists for compatibility with `curl`."

    static let silent = Option(
        "silent", short: "s", section: OutputOption.section, summary: "show no progress",
        details: """
            Does not show the progress of a download, of pages or of a batch on standard error. Errors are shown.
            """)

    /// Flags of curl for behaviour that is the default here.
    static let habits = [
        Option(
            "show-error", short: "S", section: request, summary: "ignored; errors are always shown", details: ignored),
        Option(
            "location", short: "L", section: request, summary: "ignored; redirects are followed", details: ignored),
        Option(
            "fail", section: request, summary: "ignored; status 400 and above always fails",
            details: ignored + " `-f` is the short form of `--raw-field`, as in `gh`."),
    ]

    /// Options of curl that are named otherwise here.
    static let others = [
        (["I", "head"], "-X HEAD -i prints the status line and the header fields"),
        (["D", "dump-header"], "-i prints the status line and the header fields before the body"),
        (["w"], "--envelope prints the status, the header fields and the URL"),
        (["u"], "the token is sent in place of a user name and a password"),
        (["b"], "-H 'Cookie: NAME=VALUE' sends a cookie"),
        (["Z"], "--batch sends many requests at the same time"),
        (["J", "remote-header-name"], "-O names the file as in the URL; -o FILE gives another name"),
        (["method"], "-X sets the method, as in curl"),
        (["url-query"], "\(query.name) NAME=VALUE adds a parameter to the query"),
        (["filter"], "--jq FILTER filters the response"),
        (["template"], "--jq FILTER filters the response; -r prints strings without quotes"),
        (
            ["fail-with-body"],
            "--error-body stdout prints the body of an error on standard output; status 400 and above always fails"
        ),
    ].flatMap { names, hint in names.map { RefusedOption(foreign: $0, hint: hint) } }

    /// The options of the request, the body and the result.
    static let all =
        [
            method, header, userAgent, query, data, dataRaw, dataBinary, dataURLEncode, get, json, rawField, field,
            inputFile, form, formString, uploadFile,
            retry, retryDelay, retryMaxTime, retryAllMethods, idempotencyKey, remoteName, continueAt,
            include, envelope, errorBody,
            silent, noCrossOrigin, allowOrigin, anonymous, dryRun, http11, compressed, cache,
        ] + habits
}
