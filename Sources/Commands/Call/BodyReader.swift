internal import Glibc
internal import HTTP

/// Reads the files that bodies are made of.
struct BodyReader {
    /// Whether standard input holds no document, so that `-` may name it.
    let isStandardInputFree: Bool

    /// The whole content of a file; `-` is standard input.
    func read(_ path: String) throws(Failure) -> [UInt8] {
        guard path == "-" else { return try FileAccess.read(path: path, limit: .max) }
        try checkStandardInput()
        return try FileAccess.readAll(0, limit: .max, name: "standard input") ?? []
    }

    /// A file that is sent while it is read.
    func open(_ path: String) throws(Failure) -> FileUpload {
        if path == "-" {
            try checkStandardInput()
            return FileUpload(descriptor: 0, name: "standard input")
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("cannot open \(path): \(FileAccess.reason())") }
        return FileUpload(descriptor: descriptor, name: path)
    }

    private func checkStandardInput() throws(Failure) {
        guard isStandardInputFree else {
            throw .usage(
                "standard input holds the document, so - cannot be the body",
                hint: "use -n with OAP_ACCESS_TOKEN, or give a file")
        }
    }
}
