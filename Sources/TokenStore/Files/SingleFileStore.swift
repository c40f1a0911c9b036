package import Errands
internal import System

/// A store of one token in a file that the caller named (`--token-file` of oap-token(1)). Others may read the file but not
/// write to it.
package struct SingleFileStore: TokenStoring {
    package let path: String
    private let sharing: SharedFolder

    package static let name = TokenName(unchecked: "token")

    /// The path is that of the file itself, not of a link: it is replaced.
    package init(path: String, sharing: SharedFolder = .checked) { (self.path, self.sharing) = (path, sharing) }

    package var isOpenToOthers: Bool { PrivateFile.isOpenToOthers(path) }

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in .done(.success(try PrivateFile.token(path, isStrict: false))) }
    }

    package func list() -> Attempt<[TokenName], StoreError> {
        load(Self.name).reading { (token) throws(StoreError) in token == nil ? [] : [Self.name] }
    }

    package func revision(of name: TokenName) -> Revision? { FileStamp(ofLink: path).map(Revision.file) }

    package func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError> {
        attempting { () throws(StoreError) in
            let folder = path.folderPrefix
            try sharing.check(folder.isEmpty ? "." : folder)
            return .done(.success(try HeldFile(path, lockFile: "\(path).lock", isCallers: true)))
        }
    }
}
