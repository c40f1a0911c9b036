internal import Calls
internal import Wire

extension Diagnostics {
    /// Says that a request will be sent again.
    ///
    /// - Parameter line: the number of its line in a batch.
    func tell(_ retry: Retry, line: Int? = nil) {
        let cause =
            switch retry.cause {
            case .response(let head):
                "\(WebURL(head.url)?.withoutQuery ?? head.url) answered \(head.status)"
                    + (head.status == 403 ? ", a rate limit" : "")
            case .failure(let error): error.message
            }
        let tenths = Int((retry.seconds * 10).rounded(.up))
        tell(
            (line.map { "line \($0): " } ?? "")
                + "\(cause); trying again in \(tenths / 10).\(tenths % 10) s (\(retry.number) of \(retry.limit))")
    }
}
