internal import Calls
internal import JQ
internal import Wire
internal import Shell

/// The filter of `--next`, compiled once for all pages.
struct NextFilter: ~Copyable {
    private var filter: JQFilter

    /// Compiles the filter. It has the variables of `--jq`.
    ///
    /// - Throws: exit 2 if it does not compile.
    init(_ text: String, form: OutputForm) throws(Failure) {
        filter = try form.compiled(text, lateVariables: CallResult.variables)
    }

    /// The cursor of the page after a response; nil if it is the last. A response without content is null to the filter.
    ///
    /// - Throws: exit 5 for a filter that fails or gives no cursor, exit 10 for a response that is not JSON.
    mutating func cursor(after answer: CallReceiver) throws(Failure) -> PageCursor? {
        try answer.checkSize()
        let content = answer.content
        let page: JSON = content.isEmpty ? .null : try CallResult.json(content)
        var outputs: [[UInt8]] = []
        let ending = filter.run(on: page, late: answer.head.members) { outputs.append($0.bytes) }
        switch ending {
        case .completed, .halted: break
        case .haltedWithError: throw Failure(.filterFailed, .filter, "the filter of --next called halt_error")
        case .failed(let message): throw Failure(.filterFailed, .filter, "the filter of --next failed: \(message)")
        }
        guard outputs.count < 2 else {
            throw Failure(.filterFailed, .filter, "the filter of --next gave \(outputs.count) outputs, not one")
        }
        guard let output = outputs.first, let value = try? JSON(parsing: output) else { return nil }
        return try Failure.page { () throws(PageError) in try PageCursor(value) }
    }
}

extension Failure {
    /// Runs a step of the walk over pages.
    static func page<Value>(_ step: () throws(PageError) -> Value) throws(Failure) -> Value {
        do throws(PageError) {
            return try step()
        } catch {
            let hint = error.origin.map { "to send the token to \($0), use \(CallOption.allowOrigin.name) \($0)" }
            let hints = [hint, error.hint].compactMap(\.self)
            throw Failure(
                error.kind.exit, error.kind, error.message, hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
        }
    }
}
