import Foundation
import JQ
import Testing

/// The version of the jq program, and so of libjq, that the tests run with.
enum JQVersion {
    /// For example `1.6`; empty if jq is not installed.
    static let name: String = {
        let output = (try? JQProcess(["--version"], input: ""))?.output ?? []
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            .replacingOccurrences(of: "jq-", with: "")
    }()

    /// Whether it is 1.6, whose colours, numbers and messages a plain path has with every libjq.
    static let is1_6 = name.hasPrefix("1.6")

    /// Why a test is skipped with another version.
    static let otherThan1_6 = Comment(
        rawValue: "jq \(name) writes numbers, colours and messages in another way than 1.6, or reads filters so")

    /// A text as every version writes it: without colours.
    static func comparable(_ text: String) -> String {
        guard !is1_6, text.utf8.contains(0x1B) else { return text }
        var isColour = false
        let left = text.utf8.filter { byte in
            if byte == 0x1B { isColour = true }
            defer { if byte == UInt8(ascii: "m") { isColour = false } }
            return !isColour
        }
        return String(decoding: left, as: UTF8.self)
    }

    /// A message without the value in it, which versions show in other forms and lengths.
    static func comparable(message: String) -> String {
        guard !is1_6 else { return message }
        let known = /^Cannot (index \w+ with (string|number)|iterate over \w+)/
        return message.firstMatch(of: known).map { String(message[$0.range]) } ?? message
    }
}

extension JQEnding {
    /// The ending without what versions of libjq write in other ways.
    var comparable: JQEnding {
        guard case .failed(let message) = self else { return self }
        return .failed(JQVersion.comparable(message: message))
    }
}
