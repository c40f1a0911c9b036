internal import CLibJQ
internal import Wire

/// Builds the `jv` of a JSON text. Names that come again share one string. Of members with one name the last wins, in the
/// place of the first, as in jq.
///
/// A `jv` counts its references without locks, so all this is for one thread. No method calls back, so accesses cannot
/// overlap, and checks for it would take an eighth of the time of a filter on small elements.
final class JQValueBuilder: JSONSink {
    /// The values that are whole, each owned, in their order.
    @exclusivity(unchecked) private(set) var values: [jv] = []
    @exclusivity(unchecked) private var containers: [jv] = []
    /// The name of the member whose value comes, for each open object; anything for an array.
    @exclusivity(unchecked) private var names: [jv] = []
    @exclusivity(unchecked) private var known = [jv?](repeating: nil, count: 512)
    @exclusivity(unchecked) private var scratch: [UInt8] = []

    deinit { for value in values + containers + names + known.compactMap(\.self) { oap_jv_free(value) } }

    var depth: Int { containers.count }

    /// Takes the first values; the caller owns them.
    func take(_ count: Int) -> [jv] {
        defer { values.removeSubrange(..<count) }
        return Array(values[..<count])
    }

    /// Frees the values from this index on.
    func drop(from index: Int) {
        for value in values[index...] { oap_jv_free(value) }
        values.removeSubrange(index...)
    }

    func add(_ value: consuming JQValue) { add(value.release()) }

    private func add(_ value: jv) {
        guard let last = containers.indices.last else { return values.append(value) }
        // The container is exchanged for a value without memory, so that libjq sees one reference and changes it in place.
        let container = containers[last]
        containers[last] = oap_jv_null()
        if oap_jv_get_kind(container) == JV_KIND_ARRAY {
            containers[last] = oap_jv_array_append(container, value)
        } else {
            let name = names[last]
            names[last] = oap_jv_null()
            containers[last] = oap_jv_object_set(container, name, value)
        }
    }

    func begin(_ container: JSONContainer) {
        containers.append(container == .array ? oap_jv_array() : oap_jv_object())
        names.append(oap_jv_null())
    }

    func end(_ container: JSONContainer) {
        names.removeLast()
        add(containers.removeLast())
    }

    func name(_ text: JSONStringText) { names[names.count - 1] = shared(text) }

    func string(_ text: JSONStringText) { add(make(text)) }

    func number(_ text: UnsafeRawBufferPointer) { add(oap_jv_number(JQNumber.value(of: text))) }

    func literal(_ literal: JSONLiteral) {
        switch literal {
        case .null: add(oap_jv_null())
        case .yes: add(oap_jv_bool(1))
        case .no: add(oap_jv_bool(0))
        }
    }

    private func make(_ text: JSONStringText) -> jv {
        guard text.hasEscapes else { return make(text.bytes) }
        scratch.removeAll(keepingCapacity: true)
        text.append(to: &scratch)
        return scratch.withUnsafeBytes(make)
    }

    /// A text is at most 128 MiB long, so the length fits.
    private func make(_ utf8: UnsafeRawBufferPointer) -> jv {
        var empty: UInt8 = 0
        guard let base = utf8.baseAddress, !utf8.isEmpty else { return oap_jv_string_sized(&empty, 0) }
        return oap_jv_string_sized(base.assumingMemoryBound(to: UInt8.self), Int32(utf8.count))
    }

    /// The string of a name, one for all members of that name as far as the table holds it.
    private func shared(_ text: JSONStringText) -> jv {
        let bytes = text.bytes
        guard !text.hasEscapes, bytes.count <= 64 else { return make(text) }
        let hash = fnv1a(bytes)
        let place = Int(truncatingIfNeeded: hash ^ hash >> 32) & (known.count - 1)
        if let old = known[place] {
            let length = Int(oap_jv_string_length_bytes(oap_jv_copy(old)))
            let same = UnsafeRawBufferPointer(start: oap_jv_string_value(old), count: length)
            if length == bytes.count, same.elementsEqual(bytes) { return oap_jv_copy(old) }
            oap_jv_free(old)
        }
        let name = make(bytes)
        known[place] = oap_jv_copy(name)
        return name
    }
}
