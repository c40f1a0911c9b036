internal import Glibc
internal import System
internal import Wire

/// A private folder for the command of `--run`, which is gone with the value: the client document, and what takes the
/// place of the folders in which programs keep profiles, tokens and caches.
struct PrivateFolder: ~Copyable {
    private let path: String
    private static let document = "client.json"
    /// The file with the certificate of the sandbox, in PEM; nil for plain http.
    let certificateFile: String?

    var documentFile: String { "\(path)/\(Self.document)" }

    /// The variables that lead programs here (XDG Base Directory Specification; zsh(1)). The examples of the manual store tokens
    /// and profiles under fixed names: in the user's own folders they would overwrite existing files.
    var variables: [String] {
        ["CONFIG", "STATE", "CACHE", "DATA"].map { "XDG_\($0)_HOME=\(path)/\($0.lowercased())" }
            + ["ZDOTDIR=\(path)/zsh"]
    }

    /// Makes a temporary folder with mode 0700, and writes the document and the certificate (PEM).
    init(_ document: JSONObject, certificate: [UInt8]?) throws(Failure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let prefix = "\(parent.hasPrefix("/") ? parent : "/tmp")/oap-sandbox-"
        let path = try Failure.system("cannot make a temporary folder", try Folder.makeTemporary(prefix))
        do throws(Errno) {
            try Self.write((JSON.object(document).text + "\n").utf8, to: "\(path)/\(Self.document)")
            if let certificate { try Self.write(certificate, to: "\(path)/certificate.pem") }
            // Without the second folder, fish makes it in the background, even after its end.
            for folder in ["config", "config/fish", "data", "data/fish", "data/fish/generated_completions", "zsh"] {
                guard mkdir("\(path)/\(folder)", 0o700) == 0 else { throw .current }
            }
            try Self.write(ShellPrompt.fish.utf8, to: "\(path)/config/fish/config.fish")
            try Self.write(ShellPrompt.zsh.utf8, to: "\(path)/zsh/.zshenv")
        } catch {
            Self.remove(path)
            throw Failure(.fileFailed, "cannot write to \(path): \(error)")
        }
        self.path = path
        certificateFile = certificate == nil ? nil : "\(path)/certificate.pem"
    }

    private static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(Errno) {
        try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).writeAll(Array(bytes))
    }

    deinit { Self.remove(path) }

    /// Removes a file, or a folder with its content. Links are not followed.
    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in (try? Folder.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
