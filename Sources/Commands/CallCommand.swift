internal import Calls
internal import CommandSpec
internal import HTTP
internal import JQ
internal import OAuth
internal import Wire

/// `oap call`: token → the API's answer.
enum CallCommand {
    /// The members that its options set.
    static let members = MemberOption.of("api_base", "authorization_scheme")

    /// Runs the command. The request is built first, so that usage errors are reported before a token is renewed.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        try BatchOption.check(arguments)
        try StreamOption.check(arguments)
        try CallTarget.check(
            arguments.operand(named: "URL"),
            names: StoredNames.both.names(in: session.environment, store: arguments.value(GeneralOption.store)))
        let source = try TokenSource(session.inputs, over: session.transport, members: members)
        guard !arguments.has(BatchOption.batch) else { return try runBatch(session, source) }
        let request = try CallRequest(
            arguments, document: source.document, isStandardInputFree: source.isStandardInputFree)
        if !source.isAnonymous {
            try CallTarget.checkOrigin(
                of: request.request.message.url, document: source.document,
                allowed: arguments.values(CallOption.allowOrigin))
        }
        if arguments.has(CallOption.dryRun) {
            let token = try source.shownToken()
            return try session.output().finish(
                line: CurlCommand(request.request, with: token, redactor: session.diagnostics.redactor).text
                    + session.transport.curlOptions(withCertificate: true))
        }
        let token = try source.firstToken()
        let pages = try PagedCall.walk(
            from: request.request, arguments, form: session.form, diagnostics: session.diagnostics)
        let download = try Download(arguments, form: session.form, for: request.request)
        let result = try CallResult(
            arguments, form: session.form, diagnostics: session.diagnostics,
            mayCompileLater: request.request.onlyReads && (token != nil || source.isAnonymous),
            keepsContent: pages?.keepsContent ?? false, showsProgress: pages == nil, download: download)
        var options = try session.transport.apiOptions()
        options.http11Only = arguments.has(CallOption.http11)
        request.adjust(&options)
        if download != nil { options.compressed = false }
        let cache = try CallCache(
            arguments, for: request.request, over: options, in: session.environment.folders,
            redactor: session.diagnostics.redactor)
        let call = SingleCall(request.request, result: result, cache: cache, diagnostics: session.diagnostics)
        let driver = try CallDriver(
            token: token, source: source,
            redirects: RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin)),
            retries: try RetryPolicy(arguments), over: session.transport, options: options,
            watching: session.form.watchedOutput, notifyRetry: { _, retry in session.diagnostics.tell(retry) },
            makeReceiver: { _, disposition in call.makeReceiver(disposition) })
        if let pages { return try pages.run(call, by: driver) }
        return try call.run(by: driver)
    }

    private static func runBatch(_ session: Session, _ source: TokenSource) throws(Failure) -> Exit {
        let arguments = session.arguments
        let requests = try BatchRequests(arguments, document: source.document)
        if arguments.has(CallOption.dryRun) {
            return try BatchListing(requests, token: source.likelyToken()).run(session)
        }
        let retries = try RetryPolicy(arguments)
        let batch = try Batch(session, requests: requests, retries: retries)
        var options = try session.transport.apiOptions()
        options.http11Only = arguments.has(CallOption.http11)
        options.multiplexes = true
        if requests.leavesOut("User-Agent") { options.userAgent = "" }
        if requests.leavesOut("Accept-Encoding") { options.compressed = false }
        return try batch.run(
            by: CallDriver(
                token: try source.firstToken(), source: source,
                redirects: RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin)),
                retries: retries, over: session.transport, options: options, watching: session.form.watchedOutput,
                notifyRetry: { id, retry in batch.tell(id, retry) },
                makeReceiver: { id, disposition in batch.makeReceiver(id, disposition) }))
    }

    /// The command.
    static let command = Command(
        "call", section: "Log in and use a token", summary: "send a request to an API with a token",
        description: description,
        operands: [
            Operand(
                "NAME", isLeading: true, completes: StoredNames.both.completion,
                summary: "a profile and its stored token", details: "The same as `-p NAME`."),
            Operand(
                "URL", unless: BatchOption.batch, summary: "the URL or path",
                details:
                    "An absolute URL, or a path that begins with `/` and is relative to the document's `api_base`."),
        ],
        options: CallOption.all + PageOption.all + StreamOption.all + BatchOption.all
            + (members + MemberOption.ofRenewal).map(\.option) + [MinimumTTL.option] + DerivedTokenOption.all
            + GeneralOption.tokenInput + OutputOption.all + [GeneralOption.noDiscovery] + GeneralOption.transport,
        examples: examples, sections: sections,
        seeAlso: [
            ManualReference("oap-exchange", 1), ManualReference("oap-refresh", 1), ManualReference("curl", 1),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Sends a request to an API with the access token of the document, and prints the body of the response as it \
        arrives, byte for byte. The options are named as in curl and gh.

        On a terminal, and with `--pretty`, `-c` or `--color always`, a JSON response of up to 4 MiB is laid out like \
        a document, with a line end at its end. A longer response is printed unchanged.

        The token goes into the `Authorization` field, never into the URL. If the document names the origins that the \
        token is for (`api_base`, `resource`, `api_origins`), it is sent to these and to the origin of \
        `userinfo_endpoint`. A request to any other origin is refused with exit status 9, unless `--allow-origin` \
        names it. A redirect to another origin is followed without any credential. `--anonymous` sends no token at \
        all. Plain http is refused except on loopback, and certificates are always checked.

        With `-p` or `--token-file`, `--scope`, `--resource`, `--audience` and `--exchange` send another access token \
        of the same login, as from `oap token`. A path is then relative to the `api_base`, or to the only `--resource` \
        if the token may not be sent to the `api_base`.

        Temporary failures are tried again; see RETRIES.

        For a status of 400 and above, the exit status is 7 (6 for 429; 6 or 12 for 408 and 5xx) and the body goes to \
        standard error, unless `--error-body`, `--include` or `--envelope` is given. In a filter the variables \
        `$status`, `$headers` (names in lower case) and `$url` are bound.
        """

    private static let sections = [
        BatchOption.manual,
        ManualSection(
            "FILTERS",
            text: """
                The response must be JSON (RFC 8259), or a stream of it (see STREAMS), nested no deeper than 256 \
                levels. If a name occurs twice in an object, its last value counts. A plain path such as \
                `.items[].name`, and a filter that begins with `.[] |` on an array, run while the response arrives, \
                and need little memory. For any other filter the response may have at most 128 MiB and 32 million \
                values. The first 4 MiB of output are held back until the end of the response, so that a response that \
                turns out not to be JSON prints nothing. Output beyond that is printed as it is made, and stays. In \
                both cases the exit status is 10.
                """),
        ManualSection(
            "RETRIES",
            text: """
                A request is sent again, up to 5 times, after a failed name lookup, connection or TLS handshake, a \
                timeout, a connection that breaks before the response, and a status of 408, 429, 500, 502, 503 or 504. \
                A request with the method `POST`, `PATCH` or any other than `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` \
                and `DELETE` is sent again only if nothing of it was sent, or with `--idempotency-key` or \
                `--retry-all-methods`. An untrusted certificate is never retried. Once a response has begun, only `-C -` \
                sends the request again.

                The pause before a retry is random: at most 0.5 seconds before the first one, and at most twice as \
                long before each further one, up to 30 seconds. If the server asks for a longer pause, that is \
                respected: in `Retry-After`, as seconds or as a date, and after a 403 or 429 in `RateLimit`, \
                `RateLimit-Reset` or `X-RateLimit-Reset`. A secondary rate limit of GitHub has no such field; the \
                pause is then one minute, two minutes, and so on. If a pause would end later than `--retry-max-time` \
                allows, the command fails at once with exit status 6, and the error document has `retry_after`. The \
                exit status is 6 also for a rate limit with status 403.

                A redirect, a renewed token and a retry repeat the request that failed, never the one before the \
                redirect. For each retry a line is printed on standard error. A body that comes from a pipe is kept in \
                memory up to 16 MiB; a request with a longer one is not sent again.
                """),
        ManualSection("PAGES", pages), StreamOption.manual, Download.manual, CallCache.manual,
    ]

    private static let pages: [ManualBlock] = [
        .text(
            """
            With `--paginate` the page that the `Link` field of the response names as `next` (RFC 8288) is requested \
            too, and so on to the last page. Each page is printed as if it were the only one, on a new line, and a \
            filter runs over each page. With `-o` the file is written after the last page, or not at all.

            Many APIs instead return a cursor in the body or in another header field. The filter of `--next` finds it. \
            It has the same variables as the filter of `--jq`, and gives one of these:
            """),
        .list([
            ManualItem("a URL", "It may be relative to the URL of the page: `--next .links.next`."),
            ManualItem(
                "an object",
                """
                Its `query` has parameters to set in the URL of the page, or to remove with null: `--next '{query: \
                {cursor: .next_cursor}}'`. Its `url` is another URL. Its `body` has members to set in the JSON body \
                of the request. Members of nested objects that it does not name are kept: for GraphQL, the filter \
                gives only the cursor.
                """),
            ManualItem(
                "null",
                """
                This page is the last. No output, an empty string, and an object with only a `query` of nulls and \
                empty strings mean the same.
                """),
        ]),
        .text(
            """
            The method, the header fields and the body are the same for each page; without `--next` the method must be \
            `GET`. A page at another origin than the first is refused with exit status 9, unless `--allow-origin` \
            names it. Plain http after https is refused too. If a page was requested before, the exit status is 10. If \
            a page fails, the pages before it are printed, and the message names the number of the failed page.

            While a page is filtered, the next one is already requested. If standard error is a terminal and standard \
            output is not, a line shows the number of the page; `-s` hides it.
            """),
    ]

    private static let examples = [
        Example(
            "Print a member of the response.", command: "oap call /user --jq .email -r < token.json",
            output: "ada@example.com"),
        Example(
            "Send a JSON body; this API returns the request.",
            command: """
                oap call /echo -f description=notes -F public=false \\
                    --jq .json -c < token.json
                """, output: #"{"description":"notes","public":false}"#),
        Example(
            "Use a token from the environment.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                oap call -n "$OAP_API_BASE/user" --jq .login -r
                """, output: "ada"),
        Example(
            "Send many requests; each response is a line.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                printf '{"id":"a","url":"/user"}\\n{"id":"b","url":"/user","query":{"page":2}}\\n' |
                    oap call --batch --api-base "$OAP_API_BASE" --ordered --jq '[.id, .status]' -c
                """, output: "[\"a\",200]\n[\"b\",200]"),
        Example(
            "Count all elements of a list in pages.",
            command: "oap call /user/repos --paginate --slurp --jq length < token.json", output: "321"),
        Example(
            "Print a member of the first two elements of an array, without reading the others.",
            command: "oap call /user/repos --stream-each .name --max-items 2 -r < token.json",
            output: "difference-loom-1\nbernoulli-notes-2"),
        Example(
            "An error of the API.",
            command: "oap call /status/404 < token.json || echo \"exit status $?\"", output: "exit status 7"),
    ]
}
