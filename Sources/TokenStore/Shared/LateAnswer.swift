internal import Glibc
internal import Wire

/// Tokens that this machine received and could not put into the shared store: each in a file of its own until the store has
/// it, or has a newer one. It is written before anything else is done with an answer.
package struct LateAnswers {
    private let folder: String
    private let name: TokenName

    struct Answer {
        /// nil for one that could not be written.
        let path: String?
        /// What tells which token was used up for the answer; see ``SharedStore/init``.
        let from: String
        /// The sealed token.
        let token: String
    }

    init(of name: TokenName, in folder: String) { (self.name, self.folder) = (name, folder) }

    /// Without room on the disk, the answer is in this process alone.
    func keep(_ token: String, from: String, nonce: String) -> Answer {
        let path = "\(folder)/\(name.text).\(nonce)\(Self.ending)"
        let members: JSONObject = ["v": .integer(Self.version), "from": .string(from), "token": .string(token)]
        let isKept = (try? PrivateFile.replace(path, with: JSON.object(members).bytes)) != nil
        return Answer(path: isKept ? path : nil, from: from, token: token)
    }

    func forget(_ answer: Answer) { if let path = answer.path { _ = try? PrivateFile.remove(path) } }

    /// The paths of the files, and what is in them; nil for a file that cannot be read.
    func all() throws(StoreError) -> [(path: String, answer: Answer?)] {
        guard try PrivateFile.checkFolder(folder) else { return [] }
        return try PrivateFile.names(in: folder).filter(isOurs).map { file in
            let path = "\(folder)/\(file)"
            return (path, read(path))
        }
    }

    /// Takes over the answers in the folder that the store had by another spelling of its address.
    package static func adopt(from former: String, to folder: String) throws(StoreError) {
        guard former != folder, try PrivateFile.checkFolder(former) else { return }
        for file in try PrivateFile.names(in: former) where file.hasSuffix(ending) {
            try PrivateFile.prepareFolder(folder)
            // Another process may do the same.
            rename("\(former)/\(file)", "\(folder)/\(file)")
        }
    }

    private func read(_ path: String) -> Answer? {
        (try? PrivateFile.read(path)).flatMap { Self.answer(in: $0.bytes, at: path) }
    }

    /// What the bytes of such a file say; nil if they are none.
    static func answer(in bytes: [UInt8], at path: String?) -> Answer? {
        guard let members = (try? JSON(parsing: bytes))?.object, members["v"]?.integer == version,
            let from = members["from"]?.string, let token = members["token"]?.string
        else { return nil }
        return Answer(path: path, from: from, token: token)
    }

    private func isOurs(_ file: String) -> Bool {
        guard file.hasSuffix(Self.ending) else { return false }
        let stem = file.dropLast(Self.ending.count)
        return stem.dropLast(Self.nonceLength).elementsEqual("\(name.text).")
    }

    private static let version = 1
    private static let ending = ".late"
    private static let nonceLength = 22
}
