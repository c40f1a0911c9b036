import Testing
import Wire

@testable import JOSE

@Suite("How long a pass phrase may be stretched before it opens a key")
struct KeyDerivationTests {
    enum Function: UInt8, CaseIterable {
        case pbes1, pbkdf2, scrypt, unknown

        /// An OBJECT IDENTIFIER (RFC 8018 appendix A, RFC 7914 §7).
        var name: [UInt8] {
            switch self {
            case .pbes1: [0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01, 0x03]
            case .pbkdf2: [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
            case .scrypt: [0x06, 0x09, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
            case .unknown: [0x06, 0x09, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0C]
            }
        }
    }

    private static let pbes2: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    private static let salt: [UInt8] = [0x04, 0x04, 1, 2, 3, 4]

    /// What comes of an encrypted key whose pass phrase is stretched so; nil if it may be opened.
    private func refusal(_ function: Function, salt: [UInt8] = salt, _ numbers: [Int]) -> JOSEError? {
        let values = DER.sequence(salt, numbers.flatMap { DER.integer(UInt64($0).bigEndianBytes) })
        let algorithm =
            function == .pbes1
            ? DER.sequence(function.name, values)
            : DER.sequence(Self.pbes2, DER.sequence(DER.sequence(function.name, values)))
        return refusal(DER.sequence(algorithm, Self.salt))
    }

    private func refusal(_ der: [UInt8]) -> JOSEError? {
        let label = "ENCRYPTED PRIVATE KEY"
        let text = "-----BEGIN \(label)-----\n\(Base64.encode(der))\n-----END \(label)-----\n"
        do throws(JOSEError) {
            for block in PEMBlock.all(in: text) { try KeyDerivation.check(block) }
            return nil
        } catch { return error }
    }

    @Test(
        "each function is taken up to its limit, and not beyond",
        arguments: [
            (Function.pbkdf2, [2_000_000], true), (.pbkdf2, [2_000_001], false),
            (.pbes1, [1_000_000], true), (.pbes1, [1_000_001], false),
            (.scrypt, [1 << 14, 8, 16], true), (.scrypt, [1 << 14, 8, 17], false),
            (.scrypt, [1 << 21, 1, 1], true), (.scrypt, [1 << 21 + 1, 1, 1], false),
            (.scrypt, [1, 1 << 21 + 1, 1], false), (.scrypt, [1, 1, 1 << 21 + 1], false),
            // Products that do not fit into 64 bits: what is left of them is zero.
            (.scrypt, [1 << 32, 1 << 32, 1], false), (.scrypt, [1 << 31, 1 << 31, 4], false),
        ])
    func limits(function: Function, numbers: [Int], isTaken: Bool) {
        let tooOften = JOSEError.keyInvalid("its pass phrase is stretched too often: opening it would take minutes")
        #expect(refusal(function, numbers) == (isTaken ? nil : tooOften))
    }

    @Test("parameters that cannot be read are refused, whatever libcrypto would make of them")
    func unreadable() {
        let unread = JOSEError.keyInvalid("the parameters of its encryption cannot be read")
        for function in Function.allCases {
            #expect(refusal(function, salt: [], [1, 1, 1]) == unread, "\(function) without a salt")
            #expect(refusal(function, []) == unread, "\(function) without a number")
            #expect(refusal(function, [1 << 56, 1, 1]) == unread, "\(function) with a number of 8 bytes")
        }
        #expect(refusal(.unknown, [1, 1, 1]) == unread)
        #expect(refusal(.scrypt, [1, 1]) == unread)
        #expect(refusal([]) == unread)
        #expect(refusal(DER.sequence(DER.sequence(Self.pbes2))) == unread)
    }
}
