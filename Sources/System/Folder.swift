internal import Glibc

package enum Folder {
    /// The current directory (getcwd(3)).
    package static var current: String {
        get throws(Errno) {
            guard let pointer = getcwd(nil, 0) else { throw .current }
            defer { free(pointer) }
            return String(cString: pointer)
        }
    }

    /// The names in a folder (readdir(3)), without `.` and `..`.
    package static func names(in path: String) throws(Errno) -> [String] {
        guard let stream = opendir(path) else { throw .current }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a new folder of mode 0700 (mkdtemp(3)): this prefix, and six random characters. Returns its path.
    package static func makeTemporary(_ prefix: String) throws(Errno) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .current }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes renames and removals in the folder of a file durable (fsync(2)), if the file system can do that.
    package static func synchronize(of path: String) {
        guard let folder = try? OpenFile(path.folderPrefix + ".", O_RDONLY | O_DIRECTORY) else { return }
        fsync(folder.descriptor.number)
    }
}
