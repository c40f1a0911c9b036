internal import Wire

/// Takes the values of a plain path.
///
/// As a sink it takes the parts of one value after the other.
protocol PathOutput: JSONSink {
    /// A position in the outputs.
    associatedtype Mark

    /// The end of the outputs so far.
    var mark: Mark { get }

    mutating func put(_ value: JSON)

    /// Drops what came after a mark: another member of the same name replaces it.
    mutating func takeBack(to mark: Mark)
}

/// Follows a plain path through a JSON text while it is being read, and gives the values at its end to an output.
///
/// Only objects under a name and arrays under `.[]` are followed; another value is built first.
struct PathSink<Output: PathOutput>: JSONSink {
    /// An object or array on the path.
    private struct Frame {
        let step: Int
        /// The end of the outputs at its beginning; nil for an array.
        let mark: Output.Mark?
        /// Whether the object has had the member.
        var isFound = false
    }

    private enum Mode {
        case follow, skip, deliver
        /// Build the value for the steps from this one on.
        case build(Int)
    }

    var output: Output
    /// jq's message, if the path does not fit the text.
    private(set) var failure: String?
    private let path: PlainPath
    private var frames: [Frame] = []
    private var mode = Mode.follow
    /// The open containers of a value that is not followed.
    private var depth = 0
    /// The step for the next value; nil to skip it.
    private var next: Int? = 0
    private var builder = JSONTreeBuilder()

    init(_ path: PlainPath, output: Output) { (self.path, self.output) = (path, output) }

    /// The end of the outputs that no other member of an element can replace; nil for all.
    var finalEnd: Output.Mark? { frames.drop { $0.mark != nil }.first { $0.mark != nil }?.mark }

    var isBuilding: Bool {
        switch mode {
        case .follow, .skip: false
        case .deliver, .build: true
        }
    }

    mutating func begin(_ container: JSONContainer) {
        if depth == 0 { begin(container, for: next) }
        switch mode {
        case .follow: return
        case .skip: break
        case .deliver: output.begin(container)
        case .build: builder.begin(container)
        }
        depth += 1
    }

    private mutating func begin(_ container: JSONContainer, for step: Int?) {
        guard let step else { return mode = .skip }
        guard step < path.steps.count else { return mode = .deliver }
        switch (path.steps[step].key, container) {
        case (.member, .object):
            frames.append(Frame(step: step, mark: output.mark))
        case (.each, .array):
            frames.append(Frame(step: step, mark: nil))
            next = step + 1
        case (.each, .object), (.element, .array): mode = .build(step)
        case (.member, .array), (.element, .object):
            mode = .skip
            evaluate(container == .array ? .array([]) : .object([:]), from: step)
        }
    }

    mutating func end(_ container: JSONContainer) {
        switch mode {
        case .follow: return endFrame()
        case .skip: break
        case .deliver: output.end(container)
        case .build: builder.end(container)
        }
        depth -= 1
        guard depth == 0 else { return }
        if case .build(let step) = mode, let value = builder.value {
            builder = JSONTreeBuilder()
            evaluate(value, from: step)
        }
        mode = .follow
    }

    private mutating func endFrame() {
        let frame = frames.removeLast()
        if frame.mark != nil, !frame.isFound, failure == nil { evaluate(.null, from: frame.step + 1) }
        // In an object the next name decides.
        next = failure == nil ? frames.last.map { $0.step + 1 } : nil
    }

    mutating func name(_ text: JSONStringText) {
        switch mode {
        case .follow: break
        case .skip: return
        case .deliver: return output.name(text)
        case .build: return builder.name(text)
        }
        let last = frames.count - 1
        guard let mark = frames[last].mark, path.steps[frames[last].step].matches(text) else { return next = nil }
        if frames[last].isFound {
            output.takeBack(to: mark)
            failure = nil
        }
        frames[last].isFound = true
        next = frames[last].step + 1
    }

    mutating func string(_ text: JSONStringText) {
        switch mode {
        case .follow:
            guard let next else { return }
            if next == path.steps.count { output.string(text) } else { evaluate(.string(text.string), from: next) }
        case .skip: return
        case .deliver: output.string(text)
        case .build: builder.string(text)
        }
    }

    mutating func number(_ text: UnsafeRawBufferPointer) {
        switch mode {
        case .follow:
            guard let next else { return }
            if next == path.steps.count { return output.number(text) }
            evaluate(.number(String(decoding: text, as: UTF8.self)), from: next)
        case .skip: return
        case .deliver: output.number(text)
        case .build: builder.number(text)
        }
    }

    mutating func literal(_ literal: JSONLiteral) {
        switch mode {
        case .follow:
            guard let next else { return }
            if next == path.steps.count { output.literal(literal) } else { evaluate(literal.json, from: next) }
        case .skip: return
        case .deliver: output.literal(literal)
        case .build: builder.literal(literal)
        }
    }

    private mutating func evaluate(_ value: JSON, from step: Int) {
        failure = path.evaluate(value, from: step) { output.put($0) }
        if failure != nil { next = nil }
    }
}

extension PlainPath.Step {
    fileprivate func matches(_ text: JSONStringText) -> Bool {
        guard case .member(let name) = key else { return false }
        guard !text.hasEscapes else { return text.string.isIdentical(to: name) }
        let utf8 = name.utf8
        return utf8.count == text.bytes.count && utf8.elementsEqual(text.bytes)
    }
}
