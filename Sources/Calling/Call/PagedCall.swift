package import Calls
internal import OAuth
internal import Wire
package import Shell

/// A call whose response has pages: requests them, one after the other, and writes each. A page is requested before the
/// one before it is filtered.
package final class PagedCall {
    private let first: APIRequest
    private let isSlurp: Bool
    private let form: OutputForm
    private var walk: PageWalk
    private let progress: ProgressLine?
    private var pages: JoinedPages
    private var filter: NextFilter?
    private var count = 0
    private var items = 0

    /// Prepares the walk that the options ask for.
    ///
    /// - Returns: nil without `--paginate` and `--next`.
    /// - Throws: exit 2 for options that contradict each other.
    package init?(
        from request: APIRequest, _ settings: CallSettings, form: OutputForm, diagnostics: Diagnostics
    ) throws(Failure) {
        let filter = settings.nextFilter
        guard filter != nil || settings.paginates else { return nil }
        guard filter != nil || request.message.method == "GET" else {
            throw .usage(
                "without \(PageOption.next.name), \(PageOption.paginate.name) is for GET requests only",
                hint: "for a method other than GET, find the next page with \(PageOption.next.name) FILTER")
        }
        var allowed = try asFailure(TokenOrigins(of: Document([:])))
        for origin in settings.origins { try asFailure(allowed.add(origin)) }
        first = request
        isSlurp = settings.isSlurp
        self.form = form
        walk = PageWalk(from: request, allowed: allowed, maximum: settings.maximumPages)
        progress = ProgressLine(diagnostics, form)
        pages = JoinedPages(keepsElements: form.filter != nil)
        self.filter = nil
        if let filter { self.filter = try NextFilter(filter, form: form) }
    }

    package var keepsContent: Bool { isSlurp || filter != nil || form.filter != nil }

    /// - Throws: as the call does for each page; exit 9 for a page elsewhere, exit 10 for one that was requested before.
    ///   The message names the page.
    package func run(_ call: SingleCall, by driver: CallDriver) throws(Failure) -> Exit {
        defer { progress?.end() }
        do throws(Failure) {
            _ = call.begin(first, by: driver)
            while try step(call, driver) { count += 1 }
            return try call.end()
        } catch {
            throw naming(error)
        }
    }

    /// Takes a page, requests the next and writes the one that it has.
    ///
    /// - Returns: whether there is a next page.
    private func step(_ call: SingleCall, _ driver: CallDriver) throws(Failure) -> Bool {
        let answer = try call.answer(by: driver)
        let next: APIRequest?
        do throws(Failure) {
            next = try request(after: answer)
        } catch {
            // The page itself is good.
            try write(answer, call, isLast: false)
            count += 1
            throw error
        }
        if let next {
            if call.begin(next, by: driver), call.result?.overlaps == true { try driver.begin() }
        }
        try write(answer, call, isLast: next == nil)
        return next != nil && call.result?.isHalted == false
    }

    private func request(after answer: CallReceiver) throws(Failure) -> APIRequest? {
        guard filter != nil else {
            return try Failure.page { () throws(PageError) in try walk.next(after: answer.head) }
        }
        guard let cursor = try filter?.cursor(after: answer) else { return nil }
        return try Failure.page { () throws(PageError) in try walk.next(after: answer.head, at: cursor) }
    }

    private func write(_ answer: CallReceiver, _ call: SingleCall, isLast: Bool) throws(Failure) {
        guard isSlurp else {
            try call.result?.write(answer)
            if !isLast { try call.result?.endLine(answer) }
            return note { (try? JSON(answer: answer.content))?.array?.count ?? 0 }
        }
        try answer.checkSize()
        let before = pages.count
        try call.result?.write(unchanged: try pages.add(answer.content))
        note { pages.count - before }
        guard isLast else { return }
        if form.filter == nil {
            try call.result?.write(unchanged: JoinedPages.end)
        } else {
            try call.result?.write(.array(pages.elements), head: answer.head)
        }
    }

    /// Says how far the walk is, with the elements of a page.
    private func note(_ elements: () -> Int) {
        guard let progress else { return }
        items += elements()
        progress.draw { seconds in
            let rate = Int(Double(items > 0 ? items : count + 1) / seconds)
            return "page \(count + 1)" + (items > 0 ? ", \(items) items" : "") + ", \(rate)/s"
        }
    }

    /// The failure, with the number of the page and how many were written before it.
    private func naming(_ failure: Failure) -> Failure {
        guard count > 0 else { return failure }
        let isWritten = form.file == nil && !(isSlurp && form.filter != nil)
        return failure.prefixed("page \(count + 1)" + (isWritten ? ", after \(count) written" : "") + ": ")
    }
}
