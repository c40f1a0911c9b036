internal import Glibc
internal import System

/// A path that may go through symbolic links. In a folder that others can write to, such as `/tmp`, another user's link
/// redirects reads and writes. The kernel does not follow it if `fs.protected_symlinks` is set (proc_sys_fs(5)); here it
/// is never followed.
package enum LinkedPath {
    /// The most links that a path may go through, as in the kernel.
    private static let limit = 40

    /// The path behind symbolic links, so that a link to a file remains when the file is replaced. Missing parts are kept
    /// unchanged.
    ///
    /// - Parameter keepsDescriptors: whether the path of a descriptor is kept unchanged.
    /// - Throws: exit 11 for a link of another user in a folder that others can write to.
    package static func resolved(_ path: String, keepsDescriptors: Bool = false) throws(Failure) -> String {
        var rest: [String] = DescriptorPath.names(of: path).reversed()
        var done = path.isAbsolutePath ? "/" : ""
        var links = 0
        if keepsDescriptors, isKept(path) { return path }
        while let name = rest.popLast() {
            let here = done + name
            guard name != "..", let status = try? FileStatus(ofLink: here), status.isLink else {
                done = rest.isEmpty ? here : "\(here)/"
                continue
            }
            guard !status.isForeign(in: done) else {
                throw .file(
                    "\(here) is a link of another user, in a folder that other users can write to",
                    hint: "name a file in a folder of your own")
            }
            links += 1
            guard links <= limit else { throw .file("\(path): \(Errno.tooManyLinks)") }
            let target = try target(of: here)
            rest += DescriptorPath.names(of: target).reversed()
            if target.isAbsolutePath { done = "/" }
            let whole = done + rest.reversed().joined(separator: "/")
            if keepsDescriptors, isKept(whole) { return whole }
        }
        if done.isEmpty { return path }
        return path.utf8.last == UInt8(ascii: "/") && done.utf8.last != UInt8(ascii: "/") ? "\(done)/" : done
    }

    /// Whether a path names a descriptor of this process, or one of another process that is not a regular file.
    private static func isKept(_ path: String) -> Bool {
        guard DescriptorPath.number(of: path) == nil else { return true }
        return DescriptorPath.isOne(path) && (try? FileStatus(at: path))?.isFile == false
    }

    private static func target(of link: String) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0 else { throw .file("\(link): \(Errno.current)") }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw .file("\(link): the target of this link is not UTF-8")
        }
        return text
    }
}
