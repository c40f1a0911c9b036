import Errands
import StoreSupport

@testable import TokenStore

/// A token document of the tests: the number of its refresh token, or of the one that was refused.
enum TokenText {
    static func token(_ number: Int) -> [UInt8] { Array("token \(number)".utf8) }
    static func refused(_ number: Int) -> [UInt8] { Array("refused \(number)".utf8) }
    /// The same refresh token, and something else that changed.
    static func changed(_ number: Int) -> [UInt8] { Array("token \(number) changed".utf8) }

    static func number(of bytes: [UInt8]) -> Int? {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }

    static func identity(_ bytes: [UInt8]) -> (hash: String, isRefused: Bool)? {
        number(of: bytes).map { (String($0), bytes.starts(with: "refused".utf8)) }
    }
}

extension SharedStore {
    /// Takes the lock, and waits for no other process.
    func held(_ name: TokenName) -> Attempt<ClaimedToken, StoreError> {
        Attempt.pause(until: clock.now()) { tryHold(name, waits: true) }.reading { (held) throws(StoreError) in
            guard let held = held as? ClaimedToken else { preconditionFailure("a shared token is claimed") }
            return held
        }
    }
}
