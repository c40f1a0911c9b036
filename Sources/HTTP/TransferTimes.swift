internal import CLibCurl
internal import Wire

/// How long the parts of a transfer took, in microseconds, as libcurl counts them from its start.
struct TransferTimes {
    private var lookup = 0
    private var connect = 0
    private var handshake = 0
    private var ready = 0
    private var firstByte = 0
    private var total = 0

    init() {}

    /// The times of the last transfer of a handle (curl_easy_getinfo(3), TIMES).
    init(of handle: EasyHandle) {
        let parts = [
            CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T,
            CURLINFO_PRETRANSFER_TIME_T, CURLINFO_STARTTRANSFER_TIME_T, CURLINFO_TOTAL_TIME_T,
        ].map { handle.info(microseconds: $0) }
        total = parts[5]
        // What was not reached is 0; the time up to the end counts for what was under way.
        (lookup, connect, handshake) = (parts[0], parts[1], parts[2])
        ready = max(parts[3], connect, handshake)
        firstByte = max(parts[4] == 0 ? total : parts[4], ready)
    }

    var milliseconds: JSON { Self.milliseconds(total) }

    /// The `timings` of an entry of an HTTP Archive, which add up to the whole time; -1 for what does not apply.
    var archived: JSONObject {
        let connected = max(connect, handshake, lookup)
        return [
            "blocked": .integer(-1), "dns": Self.milliseconds(lookup),
            "connect": Self.milliseconds(connected - lookup),
            "ssl": handshake > 0 ? Self.milliseconds(handshake - connect) : .integer(-1),
            "send": Self.milliseconds(ready - connected), "wait": Self.milliseconds(firstByte - ready),
            "receive": Self.milliseconds(total - firstByte),
        ]
    }

    private static func milliseconds(_ microseconds: Int) -> JSON {
        let (whole, part) = max(microseconds, 0).quotientAndRemainder(dividingBy: 1000)
        let digits = String(part)
        return .number("\(whole)." + String(repeating: "0", count: 3 - digits.utf8.count) + digits)
    }
}
