internal import Wire

/// How long a pass phrase is stretched before it opens a private key (PKCS#8, RFC 5958; PBES2, RFC 8018). libcrypto's own
/// bounds let a file keep a process busy for half an hour, and nothing can interrupt it. The limits stand for about one
/// second each.
enum KeyDerivation {
    private static let pbkdf2Iterations = 2_000_000
    private static let otherIterations = 1_000_000
    /// N × r × p (RFC 7914 §2).
    private static let scryptCost = 1 << 21

    /// - Throws: `JOSEError.keyInvalid` for parameters above the limits, and for those that cannot be read.
    static func check(_ block: PEMBlock) throws(JOSEError) {
        guard let isBounded = block.content.flatMap(isBounded) else {
            throw .keyInvalid("the parameters of its encryption cannot be read")
        }
        guard isBounded else {
            throw .keyInvalid("its pass phrase is stretched too often: opening it would take minutes")
        }
    }

    /// Whether an EncryptedPrivateKeyInfo is within the limits; nil if it cannot be read.
    private static func isBounded(_ der: [UInt8]) -> Bool? {
        var bytes = der[...]
        guard var info = DER.content(of: 0x30, in: &bytes), var algorithm = DER.content(of: 0x30, in: &info),
            let name = DER.content(of: 0x06, in: &algorithm), var parameters = DER.content(of: 0x30, in: &algorithm)
        else { return nil }
        guard name.elementsEqual(pbes2) else {
            guard DER.content(of: 0x04, in: &parameters) != nil else { return nil }
            return DER.number(in: &parameters).map { $0 <= otherIterations }
        }
        guard var function = DER.content(of: 0x30, in: &parameters), let kind = DER.content(of: 0x06, in: &function),
            var values = DER.content(of: 0x30, in: &function), DER.content(of: 0x04, in: &values) != nil,
            let first = DER.number(in: &values)
        else { return nil }
        if kind.elementsEqual(pbkdf2) { return first <= pbkdf2Iterations }
        guard kind.elementsEqual(scrypt), let size = DER.number(in: &values), let lanes = DER.number(in: &values) else {
            return nil
        }
        let (cost, isOver) = first.multipliedReportingOverflow(by: size)
        let (whole, isOverToo) = cost.multipliedReportingOverflow(by: lanes)
        return !isOver && !isOverToo && whole <= scryptCost
    }

    /// 1.2.840.113549.1.5.13
    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    /// 1.2.840.113549.1.5.12
    private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    /// 1.3.6.1.4.1.11591.4.11
    private static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
}
