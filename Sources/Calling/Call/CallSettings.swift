package import Calls
package import CommandSpec
package import Shell

/// What the command line of `call` says (oap-call(1)).
package final class CallSettings {
    /// The name, unchecked.
    package let name: String?
    /// The header fields of `-H`, and the User-Agent.
    package let headers: [String]
    package let userAgent: String?
    /// Whether requests have an `Idempotency-Key`, and which; nil for a random one.
    let hasIdempotencyKey: Bool
    let idempotencyKey: String?
    package let query: [(name: String, value: String)]
    package let method: String?
    /// The options of the body that are those of `-d` and its like, of `-f` and `-F`, and of the parts of a form, in order.
    package let data, fields, parts: [Arguments.Occurrence]
    package let json: [String]
    let inputFile, uploadFile: String?
    /// Whether the data goes into the query, and whether anything sets a body.
    let isQuery, hasBody: Bool
    package let origins: [String]
    package let usesHTTP11: Bool
    package let redirects: RedirectPolicy
    package let retries: RetryPolicy
    /// How old a response of the cache may be, in seconds; nil for no cache.
    package let cacheAge: Double?
    package let continues: Bool
    let includesHead, isEnvelope: Bool
    let errorBody: CallOption.ErrorBody
    /// Whether the filter runs on each element of an array, and on how many at most.
    let takesElements: Bool
    let maximumItems: Int?
    /// Whether all pages are requested, the filter that finds the next, how many at most, and whether they make one array.
    let paginates: Bool
    let nextFilter: String?
    let maximumPages: Int?
    let isSlurp: Bool
    /// How many requests of a batch are under way, the seconds between two of them, whether answers keep their order, the
    /// file of `--resume`, and the part of the lines.
    package let width: Int
    let interval: Double?
    let isOrdered: Bool
    let journal: String?
    let shard: BatchShard?

    package init(_ arguments: Arguments) throws(Failure) {
        name = arguments.operand(named: GeneralOption.nameOperand.name)
        headers = arguments.values(CallOption.header)
        userAgent = arguments.value(CallOption.userAgent)
        hasIdempotencyKey = arguments.has(CallOption.idempotencyKey)
        idempotencyKey = arguments.value(CallOption.idempotencyKey)
        query = arguments.pairs(CallOption.query)
        let those = { (options: [Option]) in arguments.occurrences.filter { options.contains($0.option) } }
        method = arguments.value(CallOption.method)
        data = those(CallOption.dataBodies)
        fields = those([CallOption.rawField, CallOption.field])
        parts = those([CallOption.form, CallOption.formString])
        json = arguments.values(CallOption.json)
        inputFile = arguments.value(CallOption.inputFile)
        uploadFile = arguments.value(CallOption.uploadFile)
        isQuery = arguments.has(CallOption.get)
        hasBody = CallOption.bodies.contains(where: arguments.has)
        origins = arguments.values(CallOption.allowOrigin)
        usesHTTP11 = arguments.has(CallOption.http11)
        redirects = arguments.has(CallOption.noCrossOrigin) ? .sameOrigin : .any
        var retries = RetryPolicy(arguments, over: RetryPolicy()) ?? RetryPolicy()
        if arguments.has(CallOption.retryAllMethods) { retries.repetition = .always }
        self.retries = retries
        cacheAge = arguments.seconds(CallOption.cache)
        continues = arguments.has(CallOption.continueAt)
        includesHead = arguments.has(CallOption.include)
        isEnvelope = arguments.has(CallOption.envelope)
        errorBody = arguments.value(CallOption.errorBody).flatMap(CallOption.ErrorBody.init) ?? .stderr
        takesElements = arguments.has(StreamOption.streamEach)
        maximumItems = arguments.number(StreamOption.maxItems)
        paginates = arguments.has(PageOption.paginate)
        nextFilter = arguments.value(PageOption.next)
        maximumPages = arguments.number(PageOption.maxPages)
        isSlurp = arguments.has(PageOption.slurp)
        width = arguments.number(BatchOption.parallel) ?? BatchOption.standardWidth
        shard = try arguments.value(BatchOption.shard).map { (text) throws(Failure) in
            guard let shard = BatchShard(text) else {
                throw .usage("--shard \(text) is not a part of parts", hint: "--shard 3/8 is the third of eight")
            }
            return shard
        }
        // The rate is that of all machines together.
        interval = arguments.interval(BatchOption.rate).map { [parts = shard?.parts ?? 1] in $0 * parts }
        isOrdered = arguments.has(BatchOption.ordered)
        journal = arguments.value(BatchOption.resume)
        if arguments.has(BatchOption.batch) { try checkBatch(file: arguments.value(OutputOption.output)) }
        try CallFields.check(fields)
    }

    /// Refuses what only the values of options show to be no batch.
    private func checkBatch(file: String?) throws(Failure) {
        guard name?.contains("/") != true else {
            throw .usage("--batch takes no URL", hint: "each line of standard input names its own URL")
        }
        guard journal == nil || file ?? "-" == "-" else {
            throw .usage(
                "-o cannot be combined with --resume: the file of -o is written only at the end",
                hint: "append standard output to a file: >> FILE")
        }
    }
}
