internal import CLibCurl
internal import Wire

/// Header lines for libcurl (curl_slist).
struct HeaderList: ~Copyable {
    /// The first node, or nil for an empty list.
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit { oap_curl_list_free(first) }

    /// Appends a line, which is copied.
    mutating func append(_ line: String) {
        guard let list = line.withCString({ oap_curl_list_append(first, $0) }) else {
            preconditionFailure("no memory for a header line")
        }
        first = list
    }

    /// Appends a field. libcurl reads `Name:` as "do not send"; an empty value is `Name;`.
    mutating func append(_ field: HTTPField) {
        append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
}

extension HeaderList {
    /// The fields of a request for the server. Fields that libcurl adds by default are disabled: `Accept`, the content
    /// type of forms, and the wait for `100 Continue`.
    ///
    /// - Parameter isSigned: whether libcurl signs the fields. Before version 8 it also signs those that are disabled, and sorts
    ///   `accept-encoding` before `accept`: such a request is small, and has both fields of its own.
    init(toServer fields: [HTTPField], isSigned: Bool = false) {
        self.init()
        for field in fields where !field.isForProxy { append(field) }
        guard !isSigned else { return }
        if fields.first("Accept") == nil { append("Accept:") }
        if fields.first("Content-Type") == nil { append("Content-Type:") }
        if fields.first("Expect") == nil { append("Expect:") }
    }

    /// The fields of a request that only the proxy gets.
    init(toProxy fields: [HTTPField]) {
        self.init()
        for field in fields where field.isForProxy { append(field) }
    }
}

extension HTTPField {
    fileprivate var isForProxy: Bool { name.equalsIgnoringASCIICase("Proxy-Authorization") }
}
