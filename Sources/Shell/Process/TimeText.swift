internal import Glibc

/// Times, as people read them.
package enum TimeText {
    /// The time in the time zone of the user, `2026-11-22 11:00:00 +0100`, from seconds since 1970; these for a time that
    /// no calendar has.
    package static func local(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var fields = tm()
        guard localtime_r(&time, &fields) != nil else { return String(seconds) }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S %z", &fields)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The seconds that are left, in the largest unit of which there are at least two, rounded down; `expired` for none.
    package static func left(_ seconds: Int) -> String {
        switch seconds {
        case ...0: "expired"
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
