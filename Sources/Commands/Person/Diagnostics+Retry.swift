internal import Calls
internal import Wire

extension Diagnostics {
    /// The subject is a part such as `line 2`; nil for the work of the command.
    func tell(_ retry: Retry, of subject: String? = nil) {
        let cause =
            switch retry.cause {
            case .response(let head):
                "\(WebURL(head.url)?.withoutQuery ?? head.url) answered \(head.status)"
                    + (head.status == 403 ? ", a rate limit" : "")
            case .failure(let error): error.message
            }
        let tenths = Int((retry.seconds * 10).rounded(.up))
        tell(
            (subject.map { "\($0): " } ?? "")
                + "\(cause); trying again in \(tenths / 10).\(tenths % 10) s (\(retry.number) of \(retry.limit))")
    }
}
