package import Calls
package import CommandSpec
package import HTTP
package import OAuth
package import Redaction
internal import System
package import TokenStore
package import Wire
package import Shell
internal import Tokens

/// The responses that `call --cache` stores (oap-call(1), CACHE): those of one token, in files of the user.
package struct CallCache {
    /// The age up to which a response is used without a request, in seconds.
    private let maximumAge: Int
    private let folder: CacheFolder
    /// What the transport adds to a request, on which a response may depend.
    private let context: [JSON]
    private let redactor: Redactor

    /// The most bytes of a response, head included.
    package static let limit = PrivateFile.limit

    /// The request fields that would ask for less than the whole response.
    private static let conditions = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// Nil without a home. The age is in seconds; exit 2 for a request whose response is not stored.
    package init?(
        maximumAge: Double, for request: APIRequest, over options: TransportOptions, in folders: UserFolders,
        redactor: Redactor
    ) throws(Failure) {
        try Self.check(request, for: CallOption.cache)
        guard let path = try? folders.responses() else { return nil }
        folder = CacheFolder(path)
        self.maximumAge = Int(maximumAge)
        context = [
            .string(options.userAgent), .bool(options.compressed),
            options.route.certificateFile.map { .string($0) } ?? .null,
        ]
        self.redactor = redactor
    }

    /// Refuses a request that an option is not for: one with a body, or with a field that asks for less, or with others.
    ///
    /// - Throws: exit 2.
    package static func check(_ request: APIRequest, for option: Option, without others: [String] = []) throws(Failure)
    {
        let message = request.message
        guard message.method == "GET", message.body == nil, request.upload == nil else {
            throw .usage("\(option.name) is for GET requests without a body only")
        }
        guard let field = (conditions + others).first(where: { message.headers.first($0) != nil }) else { return }
        throw .usage("\(option.name) and the header field \(field) cannot be combined")
    }

    /// The stored response to a request. All fields of the request are part of the key, so that whatever `Vary` names
    /// is the same (RFC 9111 §4.1).
    package func response(to request: HTTPRequest, with token: AccessToken?) -> StoredResponse? {
        folder.read(key(request, token)).flatMap(StoredResponse.init(bytes:))
    }

    /// Whether a stored response is used without a request.
    func isFresh(_ response: StoredResponse) -> Bool { response.isFresh(for: maximumAge, now: Clock.now) }

    /// Stores the response to a request. One that may not be stored, is too large, or repeats a secret such as the token
    /// removes the stored one.
    ///
    /// - Parameter response: nil for one that is too large.
    package func store(_ response: StoredResponse?, to request: HTTPRequest, with token: AccessToken?) {
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
