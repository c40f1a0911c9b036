internal import CommandSpec

/// The options of `call`, as curl and gh have them (oap-call(1)).
enum CallOption {
    private static let request = "Request"
    private static let body = "Body"

    static let method = Option(
        "request", short: "X", argument: "METHOD", section: request, summary: "the method",
        details: "The method. By default `GET`, or `POST` where there is a body.")
    static let header = Option(
        "header", short: "H", argument: "FIELD", isRepeatable: true, section: request, summary: "add a header field",
        details: """
            `Name: value`. `Name;` sends an empty value, `Name:` leaves a field out that would be sent, `@FILE` reads \
            fields from a file, one a line. `Authorization` and `DPoP` cannot be set.
            """)
    static let userAgent = Option(
        "user-agent", short: "A", argument: "NAME", section: request, summary: "the User-Agent",
        details: "What is sent as `User-Agent`.")
    static let query = Option(
        "query", argument: "NAME=VALUE", isRepeatable: true, section: request, summary: "add a query parameter",
        details: "Adds a parameter to the query of the URL, encoded.")
    static let http11 = Option(
        "http1.1", section: request, summary: "use HTTP/1.1", details: "Does not offer HTTP/2.")
    static let compressed = Option(
        "compressed", section: request, summary: "ask for a compressed answer (the default)",
        details: "Accepted for the sake of habit: compression is asked for and undone in any case.")
    static let noCrossOrigin = Option(
        "no-cross-origin", section: request, summary: "refuse redirects to another origin",
        details: """
            A redirect that leaves the origin is followed without the token and any other credential; with this option \
            it is exit status 9.
            """)
    static let dryRun = Option(
        "dry-run", section: request, summary: "print the request as a curl command",
        details: "Sends nothing, and prints the request as a command line of curl with every secret replaced.")

    static let data = Option(
        "data", short: "d", argument: "DATA", isRepeatable: true, section: body, summary: "send a form",
        details: """
            As in curl: the body, labelled as a form; several are joined with `&`. `@FILE` reads a file and takes its \
            line ends out; `@-` is standard input, with `-n`.
            """)
    static let dataRaw = Option(
        "data-raw", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, without @FILE",
        details: "As in curl: like `-d`, and an `@` means nothing.")
    static let dataBinary = Option(
        "data-binary", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, files as they are",
        details: "As in curl: like `-d`, and a file keeps its line ends.")
    static let dataURLEncode = Option(
        "data-urlencode", argument: "DATA", isRepeatable: true, section: body, summary: "as -d, encoded",
        details: "As in curl: `content`, `=content`, `name=content`, `@file` or `name@file`; the content is encoded.")
    static let get = Option(
        "get", short: "G", section: body, summary: "put the data of -d into the query",
        details: "As in curl: what `-d` and its kin name becomes the query of a `GET`.")
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
            As in gh: like `-f`, where `true`, `false`, `null` and whole numbers are themselves, and `@FILE` is the \
            content of a file.
            """)
    static let inputFile = Option(
        "input", argument: "FILE", completes: .files, section: body, summary: "send a file as the body",
        details: """
            As in gh: the body is the file, in constant memory, labelled `application/json` unless `-H` says otherwise. \
            `-` is standard input, with `-n`.
            """)

    static let include = Option(
        "include", short: "i", section: OutputOption.section, summary: "print the head of the answer first",
        details: "Prints the status line and the header fields before the body, as curl does.")
    static let envelope = Option(
        "envelope", section: OutputOption.section, summary: "print status, headers, URL and body as JSON",
        details: "Prints one object with `status`, `headers` (names in lower case), `url` and `body`.")
    static let errorBody = Option(
        "error-body", argument: "WHERE", choices: ["stderr", "stdout", "none"], section: OutputOption.section,
        summary: "where the body of an error goes (stderr)",
        details: """
            With `stdout` the body of an answer of status 400 and above is the result, filter included, and the exit \
            status stays; so it is with `--include` and `--envelope`.
            """)

    /// Flags that curl needs and that are the default here.
    static let habits = [
        Option(
            "silent", short: "s", section: request, summary: "accepted; there is no progress meter",
            details: "Accepted for the sake of habit."),
        Option(
            "show-error", short: "S", section: request, summary: "accepted; errors are always shown",
            details: "Accepted for the sake of habit."),
        Option(
            "location", short: "L", section: request, summary: "accepted; redirects are followed",
            details: "Accepted for the sake of habit."),
        Option(
            "fail", section: request, summary: "accepted; status 400 and above always fails",
            details: "Accepted for the sake of habit. `-f` is `--raw-field` here, as in gh."),
    ]

    /// Those that shape the request, and the body, and the result.
    static let all =
        [
            method, header, userAgent, query, data, dataRaw, dataBinary, dataURLEncode, get, json, rawField, field,
            inputFile,
            include, envelope, errorBody, noCrossOrigin, dryRun, http11, compressed,
        ] + habits
}
