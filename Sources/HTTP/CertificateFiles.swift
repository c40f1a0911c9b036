internal import System
internal import Wire

/// The files of client certificates and their keys (RFC 8705). A file is read for each request: libcurl would show the
/// certificate that it has read before, however often it is renewed. What is no file, such as a pipe, is read once.
struct CertificateFiles {
    /// A certificate and its key, each a PEM text.
    typealias Content = (certificate: [UInt8], key: [UInt8])

    private var pipes: [String: [UInt8]] = [:]
    private static let limit = 1 << 20

    /// - Throws: `file` for one that cannot be read, and for an encrypted key: there is no pass phrase for it, and libcurl
    ///   would stretch one without a limit.
    mutating func read(of options: TransportOptions) throws(HTTPError) -> Content? {
        guard let path = options.route.certificateFile else { return nil }
        let certificate = try content(of: path)
        let keyPath = options.route.keyFile ?? path
        let key = keyPath == path ? certificate : try content(of: keyPath)
        if let other = ForeignKey.description(of: key) { throw .file(path: keyPath, message: other) }
        guard !Self.isEncrypted(key) else {
            throw .file(path: keyPath, message: "its key is encrypted: openssl pkey -in FILE -out OTHER decrypts it")
        }
        return (certificate, key)
    }

    /// The content of a file, its PEM as libcurl reads it.
    mutating func content(of path: String) throws(HTTPError) -> [UInt8] {
        if let known = pipes[path] { return known }
        let (bytes, isFile): ([UInt8]?, Bool)
        do throws(Errno) {
            let descriptor = try FileDescriptor.open(path)
            defer { descriptor.close() }
            (bytes, isFile) = (try descriptor.readAll(limit: Self.limit), try FileStatus(descriptor).isFile)
        } catch {
            throw .file(path: path, message: error.description)
        }
        guard let bytes else { throw .file(path: path, message: "larger than \(Self.limit) bytes") }
        let text = PEMBlock.repaired(bytes)
        if !isFile { pipes[path] = text }
        return text
    }

    /// Whether a PEM text has an encrypted key (RFC 7468 §11, RFC 1421 §4.6.1.1).
    private static func isEncrypted(_ text: [UInt8]) -> Bool {
        text.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }.contains {
            $0.hasPrefix("-----BEGIN ENCRYPTED") || $0.hasPrefix("Proc-Type:") && $0.hasSuffix("ENCRYPTED")
        }
    }
}
