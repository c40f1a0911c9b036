internal import CLibJQ
internal import Wire

/// A `jv`; this value owns one reference.
struct JQValue: ~Copyable {
    private var raw: jv

    init(owning raw: jv) { self.raw = raw }

    deinit { oap_jv_free(raw) }

    /// Transfers the reference to a function that consumes it.
    consuming func release() -> jv {
        let raw = raw
        discard self
        return raw
    }
}

extension JQValue {
    /// A document that libjq cannot hold.
    struct LimitError: Error {
        /// The reason, with jq's message if it has one.
        let message: String
    }

    /// The deepest nesting that jq 1.6 reads. For deeper values its writer would print `<skipped: too deep>` in place
    /// of data.
    static let maximumDepth = 256

    /// Makes the value of a document. Numbers become doubles, as in jq 1.6. The outermost `wrapping` levels do not count.
    init(_ json: JSON, wrapping: Int = 0) throws(LimitError) { self = try JQValue.make(json, depth: -wrapping) }

    private static func make(_ json: JSON, depth: Int) throws(LimitError) -> JQValue {
        switch json {
        case .null: return JQValue(owning: oap_jv_null())
        case .bool(let value): return JQValue(owning: oap_jv_bool(value ? 1 : 0))
        case .number(let text): return JQValue(owning: oap_jv_number(JQNumber(text).value))
        case .string(let text): return try JQValue(text)
        case .array(let elements):
            guard depth < maximumDepth else { throw .tooDeep }
            var array = JQValue(owning: oap_jv_array())
            for element in elements { array.append(try make(element, depth: depth + 1)) }
            return array
        case .object(let members):
            guard depth < maximumDepth else { throw .tooDeep }
            var object = JQValue(owning: oap_jv_object())
            for member in members.members {
                object.set(try JQValue(member.name), to: try make(member.value, depth: depth + 1))
            }
            return object
        }
    }

    /// Makes a string, which may contain U+0000.
    init(_ text: String) throws(LimitError) {
        guard let length = Int32(exactly: text.utf8.count) else { throw LimitError(message: "String too long") }
        var text = text
        self.init(owning: text.withUTF8 { oap_jv_string_sized($0.baseAddress, length) })
    }

    init(literal: StaticString) {
        self.init(owning: oap_jv_string_sized(literal.utf8Start, Int32(literal.utf8CodeUnitCount)))
    }

    mutating func append(_ element: consuming JQValue) { raw = oap_jv_array_append(raw, element.release()) }

    mutating func set(_ name: consuming JQValue, to value: consuming JQValue) {
        raw = oap_jv_object_set(raw, name.release(), value.release())
    }

    var kind: jv_kind { oap_jv_get_kind(raw) }

    /// The number; call only on a number.
    var number: Double { oap_jv_number_value(raw) }

    /// The message of an invalid value, nil if it has none.
    var invalidMessage: JQValue? {
        oap_jv_invalid_has_msg(oap_jv_copy(raw)) != 0 ? JQValue(owning: oap_jv_invalid_get_msg(oap_jv_copy(raw))) : nil
    }

    /// The bytes of a string; call only on a string.
    var stringBytes: [UInt8] {
        let length = oap_jv_string_length_bytes(oap_jv_copy(raw))
        return Array(UnsafeBufferPointer(start: oap_jv_string_value(raw), count: Int(length)))
    }

    /// The JSON text in the style of these flags.
    func dumped(_ flags: Int32) -> [UInt8] { JQValue(owning: oap_jv_dump_string(oap_jv_copy(raw), flags)).stringBytes }

    /// The bytes of a string, or the compact JSON text of another value, as jq prints messages.
    var textBytes: [UInt8] { kind == JV_KIND_STRING ? stringBytes : dumped(0) }

    func output(style: JQOutputStyle) -> JQOutput {
        JQOutput(
            bytes: kind == JV_KIND_STRING && style.isRaw ? stringBytes : dumped(style.dumpFlags),
            isFalseOrNull: kind == JV_KIND_FALSE || kind == JV_KIND_NULL)
    }
}

extension JQValue.LimitError {
    fileprivate static var tooDeep: Self { Self(message: "Exceeds depth limit for parsing") }
}
