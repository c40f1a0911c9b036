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
        try CallFields.check(arguments)
        let names = {
            StoredNames.both.names(in: session.environment, store: arguments.value(GeneralOption.store))
        }
        try CallOperands.check(arguments, names: names)
        try CallTarget.check(arguments.operand(named: "URL"), names: names())
        let source = try TokenSource(session, members: members)
        guard !arguments.has(BatchOption.batch) else { return try runBatch(session, source) }
        let request = try CallRequest(
            arguments, document: source.document, isStandardInputFree: source.isStandardInputFree,
            diagnostics: session.diagnostics)
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
            retries: try RetryPolicy(arguments), over: session, options: options,
            notifyRetry: { _, retry in session.diagnostics.tell(retry) },
            makeReceiver: { _, disposition in call.makeReceiver(disposition) })
        if let pages { return try pages.run(call, by: driver) }
        return try call.run(by: driver)
    }

    private static func runBatch(_ session: Session, _ source: TokenSource) throws(Failure) -> Exit {
        let arguments = session.arguments
        try source.requireToken(hint: "to name a stored token: oap call NAME --batch; else set OAP_ACCESS_TOKEN")
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
                retries: retries, over: session, options: options, notifyRetry: { id, retry in batch.tell(id, retry) },
                makeReceiver: { id, disposition in batch.makeReceiver(id, disposition) }))
    }

    /// The command.
    static let command = Command(
        "call", section: "Log in and use a token", summary: "send a request to an API with a token",
        description: description,
        operands: [
            Operand(
                "NAME", isLeading: true, completes: StoredNames.both.completion,
                summary: "a profile and its stored token",
                details: """
                    The name of the stored token. If a profile has this name, `oap` takes the members of the client, \
                    such as `client_id`, from the profile. Instead of this operand, `-p NAME` can give the name.
                    """),
            Operand(
                "URL", unless: BatchOption.batch, summary: "the URL or path",
                details: """
                    An absolute URL, or a path that begins with `/`. `oap` appends such a path to the `api_base` of \
                    the document.
                    """),
        ],
        options: CallOption.all + PageOption.all + StreamOption.all + BatchOption.all
            + (members + MemberOption.ofRenewal).map(\.option) + [MinimumTTL.option] + DerivedTokenOption.all
            + GeneralOption.tokenInput + OutputOption.all + [GeneralOption.noDiscovery] + GeneralOption.transport,
        refused: CallOption.others, surplus: CallOperands.hint, examples: examples, sections: sections,
        seeAlso: [
            ManualReference("oap-exchange", 1), ManualReference("oap-refresh", 1), ManualReference("curl", 1),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Sends a request to an API, with the access token of a token document. `oap` prints the body of the response as \
        it arrives, byte for byte. Most options have the same names as in `curl` or `gh`.

        If standard output is a terminal, or if `--pretty`, `-c` or `--color always` is given, `oap` formats a JSON \
        response and adds a line end. A JSON response of more than 4 MiB is always printed unchanged.

        The token is sent in the `Authorization` field, never in the URL. The members `api_base`, `resource` and \
        `api_origins` of the document name the origins for the token. If the document names an origin, `oap` sends the \
        token only to the named origins and to the origin of the `userinfo_endpoint`. A request to any other origin \
        fails with exit status 9, unless `--allow-origin` names this origin. If the API redirects to another origin, \
        `oap` follows the redirect without the token. With `--anonymous`, `oap` sends no token at all. Plain http is \
        allowed only to loopback addresses. `oap` always checks the certificate of the server.

        The options `--scope`, `--resource`, `--audience` and `--exchange` get a derived token: another access token \
        of the same login. These options need a stored token (`-p` or `--token-file`). `oap-token(1)` describes \
        derived tokens. If `--resource` is given once, and its origin is not that of the `api_base`, a path such as \
        `/user` is appended to the URI of `--resource` instead.

        After a temporary failure, `oap` sends the request again; see RETRIES.

        A response with a status of 400 or above is an error response. The status of the response decides the exit \
        status. For status 429, and for status 403 if the response reports a rate limit, the exit status is 6. For \
        status 408 and 5xx, the exit status is 6 if the request can be repeated safely (see RETRIES), and otherwise \
        12. For any other status of 400 or above, the exit status is 7. `oap` prints the body of an error response on \
        standard error, unless `--error-body`, `--include` or `--envelope` is given. The filters of `--jq`, `--next` \
        and `--stream-each` can use the variables `$status`, `$headers` (names in lower case) and `$url`.
        """

    private static let sections = [
        BatchOption.manual,
        ManualSection(
            "FILTERS",
            text: """
                For a filter, the response must be JSON (RFC 8259), or a stream of JSON (see STREAMS), with at most \
                256 levels of nesting. If an object has two members of the same name, the last one is used. Two kinds \
                of filters need little memory, since they run while the response arrives. The first kind is a plain \
                path, such as `.items[].name`. The second kind is a filter that begins with `.[] |`, if the response \
                is an array. For any other filter, the response may have at most 128 MiB and 32 million values. For \
                every filter, a single string or number may have at most 128 MiB.

                If the response is not a stream, `oap` at first holds back the output of the filter. `oap` prints the \
                held output when the response has ended, or when there are more than 4 MiB of output. From then on, \
                `oap` prints any output immediately. If the response is not JSON, or a later part of it is not, the \
                exit status is 10, and `oap` does not print the output that is still held back.
                """),
        ManualSection(
            "RETRIES",
            text: """
                After a temporary failure, `oap` sends a request again, by default up to 5 times. Temporary failures \
                are a failed name lookup, connection or TLS handshake, a timeout, a connection that breaks before the \
                response, and a status of 408, 429, 500, 502, 503 or 504. If the check of the server's certificate \
                fails, or if the response to the handshake is not TLS, `oap` does not send the request again. A \
                request with the method `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` or `DELETE` can be repeated safely. A \
                request with another method, such as `POST` or `PATCH`, can be repeated safely only with \
                `--idempotency-key`. Without this option, `oap` sends such a request again only if the failed attempt \
                sent nothing of it, or if `--retry-all-methods` is given. If a connection breaks during the response, \
                `oap` sends the request again only for a download with `-C -`.

                The pause before a retry has a random length. Before the first retry, the pause is at most 0.5 \
                seconds. For each further retry, this limit doubles, up to 30 seconds. If the server asks for a longer \
                pause, `oap` waits that long. The server asks for a pause with the field `Retry-After` (seconds or a \
                date). With a status of 403 or 429, the fields `RateLimit`, `RateLimit-Reset` and `X-RateLimit-Reset` \
                ask for a pause too. If GitHub reports a secondary rate limit, the response can lack all of these \
                fields. In this case, `oap` waits one minute before the first retry, and twice as long before each \
                further retry. If a pause would end later than `--retry-max-time` allows, the command fails at once \
                with exit status 6. If the server asked for this pause, the error document has `retry_after`.

                If a request was redirected, only the request to the new URL is sent again, by a retry or after a \
                renewal of the token. For each retry, `oap` prints a line on standard error. `oap` keeps a body from a \
                pipe in memory, up to 16 MiB, so that it can send the body again. A request with a longer body from a \
                pipe is not sent again.
                """),
        ManualSection("PAGES", pages), StreamOption.manual, Download.manual, CallCache.manual,
    ]

    private static let pages: [ManualBlock] = [
        .text(
            """
            Many APIs return a list in pages. A response names the next page as `next` in its `Link` field (RFC \
            8288). With `--paginate`, `oap` requests one page after the other, up to the last page. Each page is \
            printed on a new line, and the filter of `--jq` runs on each page. With `-o`, `oap` writes the file after \
            the last page. If a page fails, `oap` does not write this file.

            Some APIs send no `Link` field, but a cursor for the next page, in the body or in another header field. \
            For such an API, the filter of `--next` runs on each response, and its output describes the request for \
            the next page. The filter of `--next` can use the same variables as the filter of `--jq`. The output of \
            the filter of `--next` is one of these:
            """),
        .list([
            ManualItem(
                "a URL",
                """
                The URL of the next page, absolute or relative to the URL of the current page: `--next .links.next`. A \
                single word, such as `MjA`, is no URL: it is a cursor, which belongs in an object with `query`.
                """),
            ManualItem(
                "an object",
                """
                The request for the next page, as changes to the request for the current page. `query` sets parameters \
                in the URL of the current page: `--next '{query: {cursor: .next_cursor}}'`. If a value in `query` is \
                null, the parameter is removed from the URL. `url` replaces the URL. `body` sets members in the JSON \
                body of the request. In nested objects, members that `body` does not name stay as they are. So for \
                GraphQL, `body` needs only the cursor.
                """),
            ManualItem(
                "null",
                """
                There is no next page. No output and an empty string mean the same as null. An object with only a \
                `query` means the same as null if every value in the `query` is null or an empty string. For example, \
                the output of `{query: {cursor: .next_cursor}}` is such an object if the page has no `next_cursor`.
                """),
        ]),
        .text(
            """
            The method and the header fields are the same for each page. If the output of `--next` has no `body`, the \
            body is the same too. Without `--next`, the method must be `GET`. If the next page is at another origin \
            than the first page, the command fails with exit status 9, unless `--allow-origin` names this origin. If \
            the URL of the next page has plain http, and the URL of the current page has https, the command fails with \
            exit status 9. If the next page has been requested before, the exit status is 10. If a page fails, `oap` \
            still prints the pages before it, except with `-o`, or with both `--slurp` and `--jq`. The error message \
            names the number of the failed page.

            While a page is filtered, the next page is already requested. If standard error is a terminal and standard \
            output is not, standard error shows the number of the page, unless `-s` is given.
            """),
    ]

    private static let examples = [
        Example(
            "Print a member of the response.", command: "oap call /user --jq .email -r < token.json",
            output: "ada@example.com"),
        Example(
            "Send a JSON body. The API of this example describes the request in its response.",
            command: """
                oap call /echo -f description=notes -F public=false \\
                    --jq .json -c < token.json
                """, output: #"{"description":"notes","public":false}"#),
        Example(
            """
            Send a GraphQL query with a variable. The path of a real API is often `/graphql`. Unlike in `gh`, the \
            field of a variable names `variables` too.
            """,
            command: """
                oap call /echo -f query='query($n: Int) { repos(first: $n) { name } }' \\
                    -F 'variables[n]=1' --jq .json.variables -c < token.json
                """, output: #"{"n":1}"#),
        Example(
            "Use a token from an environment variable.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                oap call -n "$OAP_API_BASE/user" --jq .login -r
                """, output: "ada"),
        Example(
            "Send several requests, and print a line for each response.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                printf '{"id":"a","url":"/user"}\\n{"id":"b","url":"/user","query":{"page":2}}\\n' |
                    oap call --batch --api-base "$OAP_API_BASE" --ordered --jq '[.id, .status]' -c
                """, output: "[\"a\",200]\n[\"b\",200]"),
        Example(
            "Count the elements of a list that has several pages.",
            command: "oap call /user/repos --paginate --slurp --jq length < token.json", output: "321"),
        Example(
            "Print a member of the first two elements of an array. The other elements are not read.",
            command: "oap call /user/repos --stream-each .name --max-items 2 -r < token.json",
            output: "difference-loom-1\nbernoulli-notes-2"),
        Example(
            "Show the exit status after an error of the API.",
            command: "oap call /status/404 < token.json || echo \"exit status $?\"", output: "exit status 7"),
    ]
}
