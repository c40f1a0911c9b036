internal import Wire
internal import Shell

struct JoinedPages {
    /// The elements so far, if they are kept for a filter.
    package private(set) var elements: [JSON] = []
    package private(set) var count = 0
    private let keepsElements: Bool
    private var size = 0
    private var isEmpty = true

    static let end = Array("]\n".utf8)

    init(keepsElements: Bool) { self.keepsElements = keepsElements }

    /// Adds a page, whose size is checked.
    ///
    /// - Returns: the text that continues the one array, the elements as they are written; empty if they are kept.
    /// - Throws: exit 10 for a page that is no array, or too much to be kept.
    mutating func add(_ content: [UInt8]) throws(Failure) -> [UInt8] {
        let page: JSON = content.isEmpty ? .array([]) : try CallResult.json(content)
        guard let array = page.array else {
            throw Failure(
                .badAnswer, .invalidResponse,
                "the page is of type \(page.kind), and \(PageOption.slurp.name) joins arrays only",
                hint: "to run a filter such as --jq .items[] on each page, leave \(PageOption.slurp.name) out")
        }
        count += array.count
        if keepsElements {
            size += content.count
            guard size < CallReceiver.limit else {
                throw AnswerMemory.tooLarge("the pages are larger than \(CallReceiver.limit >> 20) MiB")
            }
            elements += array
            return []
        }
        return text(of: array.isEmpty ? [] : content)
    }

    /// The text between the brackets, behind a comma if it continues others.
    private mutating func text(of content: [UInt8]) -> [UInt8] {
        defer { size += 1 }
        let bracket: [UInt8] = size == 0 ? [UInt8(ascii: "[")] : []
        guard let first = content.firstIndex(of: UInt8(ascii: "[")), let last = content.lastIndex(of: UInt8(ascii: "]"))
        else { return bracket }
        defer { isEmpty = false }
        return bracket + (isEmpty ? [] : [UInt8(ascii: ",")]) + content[(first + 1)..<last]
    }
}
