internal import CLibJQ
internal import Glibc
internal import System
internal import Wire

/// libjq, loaded when it is first used.
package enum JQLibrary {
    /// Why libjq could not be loaded, as the dynamic linker's message; nil if it was.
    static let loadFailure: String? = oap_jq_load().map { String(cString: $0) }

    /// Whether libjq is aborting the process because it got no memory (`abort`). Can be called from a signal handler.
    package static var hasNoMemory: Bool { oap_jq_has_no_memory() != 0 }

    /// Whether a filter runs in this thread. Can be called from a signal handler.
    package static var isRunning: Bool { oap_jq_is_running() != 0 }

    /// The path of the library's file, links resolved. Nil if it is not installed.
    static var path: String? {
        guard loadFailure == nil, let path = oap_jq_file(), let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    /// The name of the library's file with its number, for example `libjq.so.1.0.4`: it does not tell its version. Nil
    /// if it is not installed.
    package static var version: String? { path?.split(separator: "/").last.map(String.init) }
}

/// A compiled filter: a `jq_state`, owned by this value. It can move to another thread, but only one thread at a time
/// may use it.
struct JQProgram: ~Copyable {
    private let state: OpaquePointer
    /// The number of bytes of builtins that libjq parsed; nil for all of them.
    private(set) var keptBuiltins: Int?

    private init(state: OpaquePointer) { self.state = state }

    deinit {
        var state: OpaquePointer? = state
        oap_jq_teardown(&state)
    }
}

extension JQProgram {
    /// Compiles a filter, with these values of `$NAME` (all of which are in `$ARGS.named` too, as jq does it). libjq 1.6
    /// parses only the builtins that the filter calls, or all; the results are the same.
    static func compile(
        _ filter: String, arguments: [(name: String, value: JSON)], wholeBuiltins: Bool = false
    ) throws(JQError) -> JQProgram {
        if let loadFailure = JQLibrary.loadFailure {
            throw .unavailable("a jq filter needs the package libjq1: \(loadFailure)")
        }
        try checkDefinitions()
        guard !filter.utf8.contains(0) else { throw .compile("the filter contains U+0000") }
        let bindings = try bindings(arguments).release()
        guard let state = oap_jq_init() else { preconditionFailure("malloc returned NULL to libjq") }
        var program = JQProgram(state: state)
        program.prepare()
        var messages: [String] = []
        var builtins = JQBuiltins(for: filter)
        let isCompiled = withUnsafeMutablePointer(to: &messages) { messages in
            oap_jq_set_error_cb(
                state, { $0?.assumingMemoryBound(to: [String].self).pointee += compileMessages($1) }, messages)
            defer { oap_jq_set_error_cb(state, nil, nil) }
            guard !wholeBuiltins else { return oap_jq_compile_args(state, filter, bindings) != 0 }
            return builtins.compile(state, filter, bindings)
        }
        guard isCompiled else { throw .compile(messages.joined(separator: "\n")) }
        program.keptBuiltins = builtins.keptLength
        return program
    }

    /// libjq always reads definitions from `~/.jq`. Under sudo the file may belong to another user, who could redefine
    /// any function that the filter uses.
    private static func checkDefinitions() throws(JQError) {
        guard let home = getenv("HOME") else { return }
        let path = "\(String(cString: home))/.jq"
        var (link, file) = (stat(), stat())
        guard lstat(path, &link) == 0, stat(path, &file) == 0 else { return }
        guard [link, file].allSatisfy({ $0.st_uid == geteuid() || $0.st_uid == 0 }) else {
            throw .unavailable("\(path): it belongs to another user, and libjq would read definitions from it")
        }
    }

    private static func bindings(_ arguments: [(name: String, value: JSON)]) throws(JQError) -> JQValue {
        // Of two arguments with one name jq keeps the first.
        let named = arguments.reduce(into: JSONObject()) { $0[$1.name] = $0[$1.name] ?? $1.value }
        do throws(JQValue.LimitError) {
            var bindings = try JQValue(.object(named), wrapping: 1)
            let all: JSON = .object(["positional": .array([]), "named": .object(named)])
            bindings.set(JQValue(literal: "ARGS"), to: try JQValue(all, wrapping: 2))
            return bindings
        } catch {
            throw .compile("an argument: \(error.message)")
        }
    }

    /// The settings of the jq program before it compiles; libjq 1.6 leaves callbacks undefined and aborts without the
    /// paths. Modules are searched in the working folder, or where the filter says.
    private borrowing func prepare() {
        oap_jq_note_no_memory(state)
        // There is one document a run and no further input: `input` fails as in jq at the end of its input ("break" in
        // 1.6; "No more inputs" since 1.7, but only with a callback).
        oap_jq_set_input_cb(state, { _, _ in oap_jv_invalid() }, nil)
        oap_jq_set_stderr_cb(state, { writeToStandardError(JQValue(owning: $1).textBytes) }, nil)
        oap_jq_set_attr(state, JQValue(literal: "JQ_LIBRARY_PATH").release(), oap_jv_array())
        oap_jq_set_attr(state, JQValue(literal: "JQ_ORIGIN").release(), JQValue(literal: ".").release())
        oap_jq_set_attr(state, JQValue(literal: "PROGRAM_ORIGIN").release(), JQValue(literal: ".").release())
    }
}

extension JQProgram {
    /// Runs the filter. If `emit` throws, the run ends and the filter can be used again.
    func run<Stop: Error>(
        on input: JSON, style: JQOutputStyle, emit: (JQOutput) throws(Stop) -> Void
    ) throws(Stop) -> JQEnding {
        noteNoMemory()
        let value: JQValue
        do throws(JQValue.LimitError) { value = try JQValue(input) } catch { return .failed(error.message) }
        return try run(on: value, style: style, emit: emit)
    }

    /// Lets libjq tell that it gets no memory in this thread: the filter may have been compiled on another.
    func noteNoMemory() { oap_jq_note_no_memory(state) }

    func run<Stop: Error>(
        on value: consuming JQValue, style: JQOutputStyle, emit: (JQOutput) throws(Stop) -> Void
    ) throws(Stop) -> JQEnding {
        // Not a pointer but the flags: `debug` writes compact, in colour if the outputs are.
        let flags = UnsafeMutableRawPointer(bitPattern: Int(style.dumpFlags & ~Int32(JV_PRINT_PRETTY.rawValue)))
        oap_jq_set_debug_cb(
            state, { writeDebugLine(JQValue(owning: $1), dumpFlags: Int32(Int(bitPattern: $0))) }, flags)
        oap_jq_start(state, value.release(), 0)
        while true {
            let result = JQValue(owning: oap_jq_next(state))
            guard result.kind == JV_KIND_INVALID else {
                try emit(result.output(style: style))
                continue
            }
            if oap_jq_halted(state) != 0 { return halt }
            guard let message = result.invalidMessage else { return .completed }
            let text = String(decoding: message.textBytes, as: UTF8.self)
            return .failed(message.kind == JV_KIND_STRING ? text : "(not a string): \(text)")
        }
    }

    /// The end of a run after `halt` or `halt_error`, as in jq's `process`.
    private var halt: JQEnding {
        let status = JQValue(owning: oap_jq_get_exit_code(state))
        guard status.kind != JV_KIND_INVALID else { return .halted }
        let message = JQValue(owning: oap_jq_get_error_message(state))
        let bytes: [UInt8] =
            switch message.kind {
            case JV_KIND_STRING: message.stringBytes
            case JV_KIND_NULL, JV_KIND_INVALID: []
            default: message.dumped(0) + [UInt8(ascii: "\n")]
            }
        // libjq 1.6 frees the message at each later start and at its end, and forgets it only for that of another halt.
        oap_jq_start(state, oap_jv_null(), 0)
        oap_jq_halt(state, oap_jv_invalid(), oap_jv_invalid())
        let exact = status.kind == JV_KIND_NUMBER ? Int(exactly: status.number.rounded(.towardZero)) : nil
        return .haltedWithError(status: exact ?? 5, message: bytes)
    }
}

/// The messages of libjq during compilation, as lines for the user, without the line that only counts the errors.
private func compileMessages(_ report: jv) -> [String] {
    let bytes = JQValue(owning: oap_jq_format_error(report)).textBytes
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    let text = String(decoding: bytes[..<(bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    if text.hasPrefix("jq: error: ") { return [String(text.dropFirst("jq: error: ".count))] }
    let message = text.hasPrefix("jq: ") ? String(text.dropFirst("jq: ".count)) : text
    return message.first?.isNumber == true ? [] : [message]
}

private func writeDebugLine(_ value: consuming JQValue, dumpFlags: Int32) {
    var line = JQValue(owning: oap_jv_array())
    line.append(JQValue(literal: "DEBUG:"))
    line.append(value)
    writeToStandardError(line.dumped(dumpFlags) + [UInt8(ascii: "\n")])
}

/// Writes a message of the program; as in jq, one that cannot be shown stops nothing.
private func writeToStandardError(_ bytes: [UInt8]) { try? FileDescriptor.standardError.writeAll(bytes) }
