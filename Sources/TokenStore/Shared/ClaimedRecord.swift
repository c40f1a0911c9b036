internal import Glibc
internal import JOSE
internal import System
internal import Wire

/// What a shared store keeps of one token: the sealed token, and who is about to use it up. The claim stands in the same
/// record as the token, so it says as well that a request may be under way, and its revision keeps a holder who lost it from
/// overwriting.
struct ClaimedRecord: Equatable {
    /// The token, sealed (RFC 7516).
    var token: String
    /// The number of requests with this refresh token whose outcome is unknown. A new token or a refusal sets it to 0.
    var again = 0
    /// nil: free.
    var claim: Claim?

    struct Claim: Equatable {
        /// Host and process, for people only.
        let by: String
        /// New for each attempt to claim.
        let nonce: String
        /// The seconds after which others may take it over; see ``patience``.
        let seconds: Int

        /// The longest request that uses the token up, with its connection, in seconds.
        static let longestRequest = 10
        /// A claim of this version outlives its request, three requests to the engine, and a margin.
        static let usual = longestRequest + 3 * SharedRecord.longestRequest + 4

        /// A new claim of this process.
        ///
        /// - Throws: `system` without random bytes.
        init(seconds: Int) throws(StoreError) {
            guard let random = try? SecureRandom.bytes(16) else {
                throw .system(path: "/dev/urandom", reason: "the system gives no random bytes")
            }
            (by, nonce) = ("\(HostName.own ?? "host")/\(getpid())", Base64.encodeURL(random))
            self.seconds = seconds
        }

        fileprivate init?(_ members: JSONObject) {
            guard let by = members["by"]?.string, let nonce = members["nonce"]?.string,
                let seconds = members["ttl"]?.integer, seconds > 0
            else { return nil }
            (self.by, self.nonce, self.seconds) = (by, nonce, seconds)
        }
    }

    init(token: String) { self.token = token }

    /// - Throws: `corrupt` for what is no record of ours, one of a later version, and one that is not sealed.
    init(parsing bytes: [UInt8], of name: TokenName, in place: String) throws(StoreError) {
        func corrupt(_ reason: String) -> StoreError { .corrupt(path: "\(place), \(name.text)", reason: reason) }
        guard let members = (try? JSON(parsing: bytes))?.object, let version = members["v"]?.integer else {
            throw corrupt("the record is not one of oap")
        }
        guard version == Self.version else { throw corrupt("the record was written by a later version of oap") }
        guard let token = members["token"]?.string, let again = members["again"]?.integer, again >= 0 else {
            throw corrupt("the record has no token")
        }
        (self.token, self.again) = (token, again)
        guard let stated = members["claim"] else { return }
        guard let claim = stated.object.flatMap(Claim.init) else {
            throw corrupt("the claim of the record is not valid")
        }
        self.claim = claim
    }

    private static let version = 1

    var bytes: [UInt8] {
        var members: JSONObject = [
            "v": .integer(Self.version), "token": .string(token), "again": .integer(again),
        ]
        members["claim"] = claim.map {
            .object(["by": .string($0.by), "nonce": .string($0.nonce), "ttl": .integer($0.seconds)])
        }
        return JSON.object(members).bytes
    }
}
