package import System

/// A store of one token in a file that the caller named (`--token-file` of oap-token(1)). Others may read the file but not
/// write to it.
package struct SingleFileStore: TokenStoring {
    private let path: String

    /// The name of its token.
    package static let name = TokenName(unchecked: "token")

    /// A store in a file.
    ///
    /// - Parameter path: the file itself, not a link: it is replaced.
    package init(path: String) { self.path = path }

    /// Whether others can read the file.
    package var isOpenToOthers: Bool { PrivateFile.isOpenToOthers(path) }

    package func read(_ name: TokenName) throws(StoreError) -> [UInt8]? {
        try PrivateFile.read(path, isStrict: false)?.bytes
    }

    package func names() throws(StoreError) -> [TokenName] { try read(Self.name) == nil ? [] : [Self.name] }

    package func stamp(_ name: TokenName) -> FileStamp? { FileStamp(ofLink: path) }

    package func hold(_ name: TokenName, seconds: Int) throws(StoreError) -> any HeldToken & ~Copyable {
        try HeldFile(path, lockFile: "\(path).lock", seconds: seconds, isCallers: true)
    }
}
