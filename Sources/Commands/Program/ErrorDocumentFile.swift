internal import Wire

enum ErrorDocumentFile {
    /// Writes an error document. A file that cannot be written is reported; the failure stays the one that it was.
    static func write(_ document: JSONObject, to path: String, _ diagnostics: Diagnostics) {
        guard !path.isEmpty else { return diagnostics.tell("--error-document needs the name of a file") }
        do throws(Failure) {
            let file = try OutputFile(path: path)
            let sink = ByteSink(descriptor: file.descriptor, name: path)
            try sink.write(JSON.object(document).bytes + [0x0A])
            try sink.flush()
            try file.commit()
        } catch {
            diagnostics.tell("cannot write the error document: \(error.message)")
        }
    }

    /// The path on a command line that is invalid elsewhere, as far as the words before `--` tell.
    static func path(in words: [String]) -> String? {
        let name = GeneralOption.errorDocument.name
        let options = words.prefix { $0 != "--" }
        guard let place = options.lastIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) else { return nil }
        guard options[place] == name else { return String(options[place].dropFirst(name.count + 1)) }
        return options.indices.contains(place + 1) ? options[place + 1] : nil
    }
}
