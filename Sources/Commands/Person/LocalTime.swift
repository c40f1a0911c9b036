internal import Glibc

/// A time in the time zone of the user.
struct LocalTime {
    /// `2026-11-22 11:00:00 +0100`; the seconds since 1970 for a time that no calendar has.
    let text: String

    /// Takes seconds since 1970.
    init(_ seconds: Int) {
        var time = time_t(seconds)
        var fields = tm()
        guard localtime_r(&time, &fields) != nil else {
            text = String(seconds)
            return
        }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S %z", &fields)
        text = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
