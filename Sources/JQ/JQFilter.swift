package import Wire

/// A jq filter, ready to run on any number of documents, one after the other.
///
/// A plain path runs without libjq, with the same results; anything else is compiled by it. Documents never pass
/// through libjq's parser. Numbers are doubles, as in jq 1.6, so integers beyond 2^53 are rounded.
///
/// As with the jq program, libjq reads definitions from a file `~/.jq` when it compiles, which cannot be prevented; no
/// folder of modules is read unless the filter names one, or one lies in the working folder.
package struct JQFilter: ~Copyable {
    // Not private: else a release build lacks its metadata in the modules that use a filter (Swift 6.3).
    enum Machine: ~Copyable {
        case path(PlainPath)
        case program(JQProgram)
        /// The values of `prefix` go to the program, one after the other.
        case elements(JQProgram)
        /// The input is an object with the document and the values of the late variables.
        case wrapped(JQProgram)
        /// Compiled only when the values of the late variables are known.
        case deferred(String, arguments: [(name: String, value: JSON)])
    }

    let machine: Machine
    /// The path before the program; not beside it in `machine`, which Swift 6.3 cannot match then.
    let prefix: PlainPath?
    /// What the program can reach of a document, or of an element.
    let projection: Projection

    /// Compiles a filter, unless it is a plain path. libjq 1.6 takes some milliseconds for it, so see
    /// ``JQCompilation``.
    ///
    /// - Parameters:
    ///   - arguments: the values of `$NAME`, as `--arg` and `--argjson` give them; also in `$ARGS.named`.
    ///   - lateVariables: names of variables whose values come with each run. An argument of the same name wins.
    package init(
        _ filter: String, arguments: [(name: String, value: JSON)] = [], lateVariables: [String] = []
    ) throws(JQError) {
        if let path = PlainPath(filter) {
            (prefix, projection) = (nil, .whole)
            machine = .path(path)
            return
        }
        let late = lateVariables.filter { name in
            filter.contains(name) && !arguments.contains { $0.name.isIdentical(to: name) }
        }
        if late.isEmpty, let (path, rest) = PlainPath.prefix(of: filter),
            let program = try? JQProgram.compile(rest, arguments: arguments)
        {
            (prefix, projection) = (path, Projection(of: rest) ?? .whole)
            machine = .elements(program)
            return
        }
        (prefix, projection) = (nil, Projection(of: filter) ?? .whole)
        guard !late.isEmpty else {
            machine = .program(try .compile(filter, arguments: arguments))
            return
        }
        // On the same line, so that `$__loc__` stays right, and unclosed, so that the filter cannot close it.
        let wrapper = ". as {\(late.map { "$" + $0 }.joined(separator: ","))} | .[\"\"] | "
        do throws(JQError) {
            machine = .wrapped(try .compile(wrapper + filter, arguments: arguments))
        } catch {
            // Either the filter itself is wrong, and its message is to be shown, or it is right only without the
            // prefix: `import` and `include` must come first, and a filter may have only definitions.
            _ = try JQProgram.compile(filter, arguments: arguments + late.map { ($0, .null) })
            machine = .deferred(filter, arguments: arguments)
        }
    }

    /// Runs the filter on a document. Mutating, because there can be only one run at a time. A late variable without a
    /// value is null. If `emit` throws, the run ends.
    package mutating func run<Stop: Error>(
        on document: JSON, late: JSONObject = [:], style: JQOutputStyle = JQOutputStyle(),
        emit: (JQOutput) throws(Stop) -> Void
    ) throws(Stop) -> JQEnding {
        switch machine {
        case .path(let path):
            let failure = try path.evaluate(document) { (value) throws(Stop) in try emit(value.jqOutput(style: style)) }
            return failure.map { .failed($0) } ?? .completed
        case .elements(let program):
            var values: [JSON] = []
            let failure = prefix?.evaluate(document) { values.append($0) }
            for value in values {
                let ending = try program.run(on: value, style: style, emit: emit)
                guard ending == .completed else { return ending }
            }
            return failure.map { .failed($0) } ?? .completed
        default: break
        }
        let value: JQValue
        do throws(JQValue.LimitError) { value = try JQValue(document) } catch { return .failed(error.message) }
        return try run(on: value, late: late, style: style, emit: emit)
    }

    /// Runs a filter for libjq on a value of it, likewise.
    mutating func run<Stop: Error>(
        on value: consuming JQValue, late: JSONObject, style: JQOutputStyle,
        emit: (JQOutput) throws(Stop) -> Void
    ) throws(Stop) -> JQEnding {
        switch machine {
        case .program(let program):
            return try program.run(on: value, style: style, emit: emit)
        case .wrapped(let program):
            var input: JQValue
            do throws(JQValue.LimitError) { input = try JQValue(.object(late), wrapping: 1) } catch {
                return .failed(error.message)
            }
            input.set(JQValue(literal: ""), to: value)
            return try program.run(on: input, style: style, emit: emit)
        case .deferred(let filter, let arguments):
            let program: JQProgram
            do throws(JQError) {
                program = try .compile(filter, arguments: arguments + late.members.map { ($0.name, $0.value) })
            } catch {
                switch error {
                case .compile(let message), .unavailable(let message): return .failed(message)
                }
            }
            return try program.run(on: value, style: style, emit: emit)
        default: preconditionFailure("a path takes no value of libjq")
        }
    }
}

extension JSON {
    /// The value as jq 1.6 writes it.
    func jqOutput(style: JQOutputStyle) -> JQOutput {
        var bytes: [UInt8] = []
        if style.isRaw, let string {
            bytes = Array(string.utf8)
        } else {
            write(to: &bytes, style: style.json, numberText: { JQNumber($0).text })
        }
        return JQOutput(bytes: bytes, isFalseOrNull: isNull || bool == false)
    }
}
