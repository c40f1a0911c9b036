extension JSON {
    /// Whether bytes are one JSON text (RFC 8259), perhaps with repeated names. Its values are not kept.
    package static func isText(_ bytes: [UInt8], depth: Int = maximumDepth) -> Bool {
        var (scanner, nothing) = (JSONScanner(maximumDepth: depth), NoSink())
        do throws(JSONSyntaxError) {
            _ = try bytes.withUnsafeBufferPointer { (text) throws(JSONSyntaxError) in
                try scanner.scan(UnsafeRawBufferPointer(text), into: &nothing)
            }
            try scanner.finish(into: &nothing)
            return true
        } catch {
            return false
        }
    }
}

/// Takes the values of a text that is only checked.
private struct NoSink: JSONSink {
    mutating func begin(_ container: JSONContainer) {}
    mutating func end(_ container: JSONContainer) {}
    mutating func name(_ text: JSONStringText) {}
    mutating func string(_ text: JSONStringText) {}
    mutating func number(_ text: UnsafeRawBufferPointer) {}
    mutating func literal(_ literal: JSONLiteral) {}
}
