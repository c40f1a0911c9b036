internal import Calls
internal import CommandSpec
internal import HTTP
internal import OAuth
internal import Redaction
internal import System
internal import TokenStore
internal import Wire

/// The responses that `call --cache` stores (oap-call(1), CACHE): those of one token, in files of the user.
struct CallCache {
    /// The age up to which a response is used without a request, in seconds.
    private let maximumAge: Int
    private let folder: CacheFolder
    /// What the transport adds to a request, on which a response may depend.
    private let context: [JSON]
    private let redactor: Redactor

    /// The most bytes of a response, head included.
    static let limit = PrivateFile.limit

    /// The request fields that would ask for less than the whole response.
    static let conditions = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// The cache of a user.
    ///
    /// - Returns: nil without `--cache` or a home.
    /// - Throws: exit 2 for a request whose response is not stored.
    init?(
        _ arguments: Arguments, for request: APIRequest, over options: TransportOptions, in folders: UserFolders,
        redactor: Redactor
    ) throws(Failure) {
        let option = CallOption.cache.name
        guard let seconds = try arguments.seconds(CallOption.cache, takesZero: true) else { return nil }
        let message = request.message
        guard message.method == "GET", message.body == nil, request.upload == nil else {
            throw .usage("\(option) is for GET requests without a body only")
        }
        if let field = Self.conditions.first(where: { message.headers.first($0) != nil }) {
            throw .usage("\(option) and the header field \(field) cannot be combined")
        }
        guard let path = try? folders.responses() else { return nil }
        folder = CacheFolder(path)
        maximumAge = Int(seconds)
        context = [
            .string(options.userAgent), .bool(options.compressed), options.certificateFile.map { .string($0) } ?? .null,
        ]
        self.redactor = redactor
    }

    /// The stored response to a request. All fields of the request are part of the key, so that whatever `Vary` names
    /// is the same (RFC 9111 §4.1).
    func response(to request: HTTPRequest, with token: AccessToken?) -> StoredResponse? {
        folder.read(key(request, token)).flatMap(StoredResponse.init(bytes:))
    }

    /// Whether a stored response is used without a request.
    func isFresh(_ response: StoredResponse) -> Bool { response.isFresh(for: maximumAge, now: Clock.now) }

    /// Stores the response to a request. One that may not be stored, is too large, or repeats a secret such as the token
    /// removes the stored one.
    ///
    /// - Parameter response: nil for one that is too large.
    func store(_ response: StoredResponse?, to request: HTTPRequest, with token: AccessToken?) {
        let key = key(request, token)
        guard let response, response.mayBeStored, response.body.count < Self.limit else { return folder.remove(key) }
        let bytes = response.bytes
        guard bytes.count <= Self.limit, redactor.secretRanges(in: bytes).isEmpty else { return folder.remove(key) }
        folder.replace(key, with: bytes)
    }

    private func key(_ request: HTTPRequest, _ token: AccessToken?) -> [UInt8] {
        let fields = ([token?.field].compactMap(\.self) + request.headers).map { field -> JSON in
            .array([.string(field.name.asciiLowercased), .string(field.value)])
        }
        return JSON.array(context + [.bool(token != nil), .string(request.url), .array(fields)]).bytes
    }
}

extension CallCache {
    /// The section of the manual.
    static let manual = ManualSection(
        "CACHE",
        text: """
            With `--cache`, `oap` stores the response to a `GET` request. A later call with `--cache` can use the \
            stored response, if the two requests have the same token, URL and header fields. If the stored response is \
            younger than the number of seconds in the option, `oap` sends no request. In this case, an expired token \
            is not renewed. `oap` sets the field `Age` of a stored response to its age in seconds. If the stored \
            response is older, `oap` asks the server whether the response has changed, with `If-None-Match` or \
            `If-Modified-Since`. If the server answers 304, `oap` uses the stored response, and counts its age from \
            this answer. With `--cache 0`, `oap` asks the server every time.

            The number of seconds of `--cache` replaces the server's `max-age`. If a response has `no-cache`, the \
            server is asked every time. These responses are not stored: one with `no-store` or `Vary: *`, one that \
            contains the token, one whose status is not 200, one after a redirect, and one of more than 16 MiB. With \
            `--paginate`, each page is stored as a response of its own.

            The responses are stored unchanged in `$XDG_CACHE_HOME/oap/responses`, in files that only the user can \
            read. There are at most 1000 files, with at most 256 MiB in all. If a new response exceeds one of these \
            limits, the oldest files are removed. After a renewal of the token, `oap` does not use responses to \
            requests with the former token. If `oap` fetches the metadata of the server for a renewal, `--cache` also \
            stores the metadata, in the same way as `oap refresh --cache`. If the cache cannot be read or written, the \
            command goes on without it.
            """)
}
