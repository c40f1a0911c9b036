internal import HTTP
internal import System
internal import Wire

struct BodyReader {
    /// Whether standard input holds no document, so that `-` may name it.
    let isStandardInputFree: Bool

    /// The whole content of a file; `-` is standard input.
    func read(_ path: String) throws(Failure) -> [UInt8] {
        guard path == "-" else { return try InputFile.read(path, limit: .max) }
        try checkStandardInput()
        return try InputFile.readAll(.standardInput, limit: .max, name: "standard input") ?? []
    }

    /// A file that is sent while it is read.
    func open(_ path: String) throws(Failure) -> FileUpload {
        if path == "-" {
            try checkStandardInput()
            return FileUpload(descriptor: 0, name: "standard input")
        }
        return FileUpload(descriptor: try InputFile.open(path).number, name: path)
    }

    /// A file that is sent with its size where that is known: a pipe of at most 16 MiB is read before.
    func openWhole(_ path: String) throws(Failure) -> FileUpload {
        let upload = try open(path)
        do throws(ContentError) { try upload.fill() } catch { throw .file("cannot read \(path): \(error.reason)") }
        return upload
    }

    private func checkStandardInput() throws(Failure) {
        guard isStandardInputFree else {
            throw .usage(
                "standard input holds the document, so - cannot be the body",
                hint: "name a stored token with -p, use -n with OAP_ACCESS_TOKEN, or give a file")
        }
    }
}
