internal import Glibc
internal import Wire

/// A file with the client document, which is gone with the value.
struct DocumentFile: ~Copyable {
    /// Where it is.
    let path: String

    /// Writes the file, with mode 0600, into the folder for temporary files.
    ///
    /// - Throws: with status 11.
    init(_ document: JSONObject) throws(Failure) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(folder.isEmpty ? "/tmp" : folder)/oap-sandbox-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw Failure(.fileFailed, "cannot make a temporary file: \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { close(descriptor) }
        let bytes = Array((JSON.object(document).text + "\n").utf8)
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else {
            unlink(path)
            throw Failure(.fileFailed, "cannot write \(path)")
        }
        self.path = path
    }

    deinit { unlink(path) }
}
