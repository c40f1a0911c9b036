internal import CLibCurl
internal import Wire

/// An easy handle of libcurl: the options of one transfer at a time.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer

    /// Loads libcurl if necessary and makes a handle (curl_easy_init).
    init() throws(HTTPError) {
        if let reason = HTTPLibrary.loadFailure { throw .library(reason) }
        guard let pointer = oap_curl_open() else { throw .library("no handle") }
        self.pointer = pointer
    }

    deinit { oap_curl_close(pointer) }

    /// Resets all options and callbacks (curl_easy_reset).
    func reset() { oap_curl_reset(pointer) }

    /// A number of the last transfer (curl_easy_getinfo).
    func info(_ item: CURLINFO) -> Int { oap_curl_get_long(pointer, item) }

    func info(microseconds item: CURLINFO) -> Int { oap_curl_get_size(pointer, item) }

    func info(text item: CURLINFO) -> String? { oap_curl_get_text(pointer, item).map { String(cString: $0) } }

    /// Sets a flag or a number. An option that libcurl refuses is an error, so that none is silently ignored.
    func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(oap_curl_set_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, size: Int) throws(HTTPError) {
        try check(oap_curl_set_size(pointer, option, size), option)
    }

    /// Sets a text, which libcurl copies.
    func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        // Passed as it is, the text would be copied into an array first.
        try check(value.withCString { oap_curl_set_text(pointer, option, $0) }, option)
    }

    /// Sets the content of a file in its place.
    func set(_ option: CURLoption, copying bytes: [UInt8]) throws(HTTPError) {
        try check(oap_curl_set_blob(pointer, option, bytes, bytes.count), option)
    }

    /// Removes a text option, even a default of libcurl.
    func unset(_ option: CURLoption) throws(HTTPError) { try check(oap_curl_unset(pointer, option), option) }

    /// Sets the content of the request, which libcurl copies.
    func set(content: [UInt8]) throws(HTTPError) {
        try set(CURLOPT_POST, 1)
        try set(CURLOPT_POSTFIELDSIZE_LARGE, size: content.count)
        try check(oap_curl_set_bytes(pointer, CURLOPT_COPYPOSTFIELDS, content), CURLOPT_COPYPOSTFIELDS)
    }

    /// Sets a list of header lines, which must live until the transfer is over.
    func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(HTTPError) {
        try check(oap_curl_set_list(pointer, option, list.first), option)
    }

    /// Sets the buffer for libcurl's error message: CURL_ERROR_SIZE bytes that must live until the transfer is over.
    func set(errorBuffer: UnsafeMutablePointer<CChar>) throws(HTTPError) {
        try check(oap_curl_set_error_buffer(pointer, errorBuffer), CURLOPT_ERRORBUFFER)
    }

    func set(_ callbacks: oap_curl_callbacks, context: UnsafeMutableRawPointer) throws(HTTPError) {
        var callbacks = callbacks
        try check(oap_curl_set_callbacks(pointer, &callbacks, context), CURLOPT_WRITEFUNCTION)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(HTTPError) {
        guard code != CURLE_OK else { return }
        throw .library("option \(option.rawValue): \(String(cString: oap_curl_message(code)))")
    }
}

/// libcurl, loaded when it is first used.
package enum HTTPLibrary {
    /// Why libcurl cannot be used, or nil. Loads the library the first time it is asked.
    package static let loadFailure: String? = oap_curl_load().map { String(cString: $0) }

    /// The versions of libcurl and of what it is built with, for example `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13`.
    /// Nil if libcurl is not installed.
    package static var version: String? { loadFailure == nil ? String(cString: oap_curl_version()) : nil }
}
