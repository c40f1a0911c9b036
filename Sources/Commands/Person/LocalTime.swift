internal import Glibc

/// A time in the time zone of the user.
enum LocalTime {
    /// `2026-11-22 11:00:00 +0100`, from seconds since 1970; these for a time that no calendar has.
    static func text(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var fields = tm()
        guard localtime_r(&time, &fields) != nil else { return String(seconds) }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S %z", &fields)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
